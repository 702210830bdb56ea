package dev.weft.agent;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.agent.run.FakeExecutor;
import dev.weft.agent.run.FakeStaging;
import dev.weft.api.Amount;
import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.bus.Role;
import dev.weft.api.execution.Executor.Ending;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole agent on real files and threads, with a bus and an executor of the test. */
class AgentTest {
  private static final long GIB = 1L << 30;

  @TempDir Path home;

  private final FakeBus bus = new FakeBus();
  private final FakeExecutor executor =
      new FakeExecutor(
          launch ->
              FakeExecutor.Play.ends(
                  launch.environment().get("WEFT_TASK"), "", new Ending.Exited(0)));
  private Agent agent;

  @BeforeEach
  void begin() {
    agent =
        new Agent(
            new LocalNode(
                new NodeId("9".repeat(64)),
                AgentCoreDriver.BOOT,
                "host",
                Set.of(Role.AGENT),
                List.of()),
            bus,
            new FakeStaging(),
            home,
            "Linux",
            settings(Map.of()));
    agent.start();
    agent.loop().peerUp(FakeBus.MANAGER);
  }

  @AfterEach
  void end() {
    agent.close();
  }

  private static AgentSettings settings(Map<String, Object> given) {
    return AgentSettings.of(AgentSettingsTest.configuration(given));
  }

  private static Probe probe(String name, Device... devices) {
    return new Probe() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Inventory look() {
        return new Inventory(List.of(devices), List.of());
      }
    };
  }

  private void equip() {
    agent.executors().bound(executor);
    agent.probes().add(probe("cpu", new Device.Cpu("x86_64", "m", 4, 0)), Duration.ZERO);
    agent
        .probes()
        .add(probe("memory", new Device.Memory(4 * GIB, GIB, OptionalLong.empty())), Duration.ZERO);
  }

  private Message assign(Message.Assignment... assignments) throws Exception {
    CompletableFuture<Message> answer = new CompletableFuture<>();
    agent
        .loop()
        .handle(
            FakeBus.MANAGER,
            AgentCoreDriver.request(AgentCoreDriver.BOOT, assignments),
            answer::complete);
    return answer.get(5, TimeUnit.SECONDS);
  }

  @Test
  void reportsRunsAndTellsTheOutcome() throws Exception {
    equip();
    Message.Report report = bus.report(one -> true);
    assertEquals(Resources.ree(Amount.of(4_000, 4 * GIB - (256L << 20), 0)), report.offered());
    assertEquals(
        Map.of("os", "linux", "arch", "x86_64"), report.description().orElseThrow().labels());
    assertEquals(1, executor.cleared.get());

    assertEquals(
        new Message.Assigned(List.of()),
        assign(AgentCoreDriver.assignment(AgentCoreDriver.attempt(3, 1), 1_000)));
    Message.AttemptStatus status = bus.outcome();
    assertEquals(
        Optional.of(new Outcome.Succeeded(new Outcome.Result.Inline(Bytes.of("3")))),
        status.outcome());
    Path folder = executor.launches.take().folder();
    await().until(() -> !Files.exists(folder.resolve("work")));
    assertEquals("3", Files.readString(folder.resolve("stdout")));
  }

  @Test
  void manyShortAttemptsAllEndOnce() throws Exception {
    equip();
    bus.report(one -> true);
    int count = 2_000;
    Set<Integer> ended = new HashSet<>();
    for (int first = 0; first < count; first += 20) {
      Message.Assignment[] batch =
          IntStream.range(first, first + 20)
              .mapToObj(task -> AgentCoreDriver.assignment(AgentCoreDriver.attempt(task, 1), 1))
              .toArray(Message.Assignment[]::new);
      assertEquals(new Message.Assigned(List.of()), assign(batch));
      for (int i = 0; i < 20; i++) {
        assertTrue(ended.add(bus.outcome().attempt().task().index()));
      }
    }
    assertEquals(count, ended.size());
  }

  @Test
  void numbersOfReportsRiseWhenTheBundleStartsAgain() {
    long first = ReportNumbers.before(home.resolve("x"), 3);
    long second = ReportNumbers.before(home.resolve("x"), 3);
    assertEquals(0, first);
    assertTrue(second > 1_000_000_000, "second range begins at " + second);
    assertEquals(0, ReportNumbers.before(home.resolve("x"), 4));
  }

  @Test
  void offersNothingWithoutAnExecutorAndSaysSo() throws Exception {
    equip();
    bus.report(one -> !one.offered().equals(Resources.NONE));
    agent.executors().unbound(executor);
    Message.Report report = bus.report(one -> one.offered().equals(Resources.NONE));
    assertTrue(
        report
            .description()
            .orElseThrow()
            .inventory()
            .notes()
            .get(0)
            .startsWith("nothing is offered"));
  }

  @Test
  void anotherOfferIsReportedAtOnce() throws Exception {
    equip();
    bus.report(one -> true);
    agent.settings(settings(Map.of("offer_cpu", "0.5")));
    Message.Report report =
        bus.report(
            one -> one.offered().equals(Resources.ree(Amount.of(500, 4 * GIB - (256L << 20), 0))));
    assertEquals(report.offered(), report.free());
  }

  @Test
  void aProbeThatFailsIsNotedAndTheOthersCount() throws Exception {
    agent
        .probes()
        .add(
            new Probe() {
              @Override
              public String name() {
                return "bad";
              }

              @Override
              public Inventory look() {
                throw new IllegalStateException("broken");
              }
            },
            Duration.ZERO);
    equip();
    Message.Report report = bus.report(one -> true);
    assertTrue(report.description().orElseThrow().inventory().notes().get(0).contains("broken"));
    assertEquals(2, report.description().orElseThrow().inventory().devices().size());
  }

  @Test
  void aManagerThatIsDownIsToldNothing() throws Exception {
    equip();
    bus.report(one -> true);
    agent
        .loop()
        .peerDown(FakeBus.MANAGER, new Fault("peer.down", Fault.Category.EXTERNAL, "gone", true));
    assign(AgentCoreDriver.assignment(AgentCoreDriver.attempt(3, 1), 1_000));
    executor.launches.take();
    assertTrue(bus.statuses.isEmpty());
    agent.loop().peerUp(FakeBus.MANAGER);
    bus.outcome();
  }
}
