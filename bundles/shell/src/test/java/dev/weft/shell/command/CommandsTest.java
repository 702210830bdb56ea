package dev.weft.shell.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weft.shell.fake.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each command that shows something, with exactly what it prints. */
class CommandsTest extends CommandTester {
  @Test
  void listsNodes() throws IOException {
    assertEquals(0, run("node", "list"));
    assertEquals(
        """
        ID        NAME   STATE  TASKS  CPU GIVEN  FREE  LOAD  MEMORY GIVEN     FREE  IN USE  GPU GIVEN  FREE     REPORT
        a1a1a1a1  alpha  READY      3      1.5/4   2.5  0.25   1 GiB/4 GiB    3 GiB   3 GiB        0/2     2  4.0 s ago
        b2b2b2b2  beta   DOWN       0        0/2     2     -   0 B/512 MiB  512 MiB       -        0/0     0  5 min ago
        """,
        output());
  }

  @Test
  void showsANode() throws IOException {
    assertEquals(0, run("node", "show", "a1a"));
    assertEquals(
        """
        Node          a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1
        Name          alpha
        State         READY
        Reason        reports in time
        Tasks         3
        Labels        room=lab, tier=edge
        Boot          2
        Free version  17
        Report        2026-03-01 11:59:56 (4.0 s ago)

        RESOURCE      OFFERED  GIVEN    FREE   USED
        cpu                 4    1.5     2.5   0.25
        gpu                 2      0       2      -
        gpu.0               1      0       1      -
        gpu.0.memory   16 GiB    0 B  16 GiB      -
        gpu.1               1      0       1      -
        gpu.1.memory    8 GiB    0 B   8 GiB      -
        gpu.memory     24 GiB    0 B  24 GiB      -
        memory          4 GiB  1 GiB   3 GiB  3 GiB

        DEVICE  WHAT
        cpu     Cortex-A76, aarch64, 4 logical cores
        memory  8 GiB, 5 GiB available, limited to 4 GiB
        disk    64 GiB, 32 GiB free
        system  Debian GNU/Linux 12, kernel 6.1.0
        gpu     NVIDIA A2, 16 GiB, driver 550.1, GPU-1
        Note: no AMD driver
        """,
        output());
  }

  @Test
  void findsANodeByNameAndTellsWhatItDoesNotFind() throws IOException {
    assertEquals(0, run("node", "show", "beta"));
    assertEquals(1, run("node", "show", "x"));
    assertEquals(
        "weft: no node has an id that starts with 'x', nor this name: 'weft node list' shows"
            + " them\n",
        errors());
  }

  @Test
  void listsJobs() throws IOException {
    services.jobs().put(Samples.running(ID));
    services.jobs().put(Samples.failed(Samples.id("2b")));
    services.jobs().put(Samples.needing(Samples.id("3c"), ID));
    assertEquals(0, run("job", "list"));
    assertEquals(
        """
        ID        NAME         SUBMITTER  STATE    DONE  RUNNING  FAILED        AGE  TIME  NEEDS     WAITS
        1a2b3c4d  count words  ada        RUNNING  5/10        2       0  1 min 5 s  10 s  -         -
        2b000000  count words  ada        FAILED   9/10        0       1  1 min 5 s  10 s  -         -
        3c000000  count words  ada        PENDING   0/0        0       0  1 min 5 s     -  1a2b3c4d  DEPENDENCY
        """,
        output());
  }

  @Test
  void showsOnlyTheLatestEndedJobsUnlessAsked() throws IOException {
    for (int i = 0; i < 12; i++) {
      services.jobs().put(Samples.cancelled(Samples.id("c" + Integer.toHexString(i))));
    }
    assertEquals(0, run("job", "list"));
    assertEquals(11, output().lines().count());
    assertEquals("and 2 more jobs that ended before: weft job list --all\n", errors());
    output.reset();
    assertEquals(0, run("job", "list", "--all"));
    assertEquals(13, output().lines().count());
  }

  @Test
  void showsAJobWithItsTasks() throws IOException {
    services.jobs().put(Samples.failed(ID));
    services.jobs().putTasks(ID, Samples.tasks(ID));
    assertEquals(0, run("job", "status", "--tasks", "1A2B"));
    assertEquals(
        """
        Job        1a2b3c4d000000000000000000000000
        Name       count words
        Submitter  ada
        State      FAILED
        Tasks      10: 0 waiting, 0 running, 9 done, 1 failed
        Priority   50
        Split by   even 1.0.0
        Submitted  2026-03-01 11:58:55 (1 min 5 s ago)
        Started    2026-03-01 11:59:50 (10 s ago)
        Ended      2026-03-01 12:00:00 (0.0 s ago)
        Time       10 s
        Output     kept with the job
        Fault      task 3 failed too often [task.failed]

        NODE      NAME   RUNNING  DONE  FAILED
        a1a1a1a1  alpha        1     3       0
        b2b2b2b2  beta         1     2       1

         TASK  STATE    TRIES  NODE    TIME  EXIT  SHARD             NOTE
            0  DONE         1  alpha  2.0 s     0  lines 1 to 100    succeeded
            3  FAILED       2  beta   5.0 s     3  lines 301 to 400  the command ended with exit code 3
        merge  WAITING      0  -          -     -  all results       no node fits
        """,
        output());
  }

  @Test
  void tellsWhyAJobWaits() throws IOException {
    services.jobs().put(Samples.pending(ID));
    services.jobs().putTasks(ID, Samples.tasks(ID));
    assertEquals(0, run("job", "why", "1a"));
    assertEquals(
        """
         TASK  STATE    TRIES  NODE   POLICY      WHY
            0  DONE         1  alpha  rank 1.0.0  first by rank that fits
            3  FAILED       2  beta   rank 1.0.0  next by rank
        merge  WAITING      0  -      rank 1.0.0  no node fits

        Task 0 waits (RESOURCES): no node fits
          alpha (a1a1a1a1): needs 8 cpu, has 2 cpu free
          beta (b2b2b2b2): needs 8 cpu, has 2 cpu free
        """,
        output());
  }

  @Test
  void tellsWhyATaskRanWhereItDid() throws IOException {
    services.jobs().put(Samples.failed(ID));
    services.jobs().putTasks(ID, Samples.tasks(ID));
    assertEquals(0, run("job", "why", "1a", "3"));
    assertEquals(0, run("job", "why", "1a", "merge"));
    assertEquals(
        """
        Task 3 (lines 301 to 400): FAILED
        Try 2 on beta (b2b2b2b2) at 2026-03-01 11:59:54, 5.0 s: failed
          chosen by rank 1.0.0: next by rank
            alpha (a1a1a1a1): needs 8 cpu, has 2 cpu free
          the command ended with exit code 3 [command.failed]
        Task merge (all results): WAITING
        Refused by rank 1.0.0: no node fits
          no node has enough cpu: needs 8, the most is 2.5
          no node has enough memory in sgx: needs 64 MiB, the most is 0 B
          alpha (a1a1a1a1): needs 8 cpu, has 2 cpu free
          beta (b2b2b2b2): needs 8 cpu, has 2 cpu free
        """,
        output());
  }

  @Test
  void asksEveryNodeNow() throws IOException {
    services.jobs().put(Samples.pending(ID));
    services.jobs().putTasks(ID, List.of(Samples.tasks(ID).get(2)));
    assertEquals(0, run("job", "why", "1a", "--all"));
    assertTrue(
        output()
            .endsWith(
                """

                NODE      NAME   NOW
                a1a1a1a1  alpha  could take it
                b2b2b2b2  beta   needs 8 cpu, has 2 cpu free
                """),
        output());
    JsonNode answer = json("job", "why", "--json", "--all", "1a");
    assertTrue(answer.at("/nodes/0/fits").asBoolean());
    assertEquals("resources.lacking", answer.at("/nodes/1/code").asText());
    assertEquals(2_500, answer.at("/tasks/0/refused/shortages/0/available").asLong());
    assertEquals("sgx", answer.at("/tasks/0/refused/shortages/1/environment").asText());
  }

  @Test
  void showsTheBufferPool() throws IOException {
    assertEquals(0, run("buffer"));
    assertEquals(
        """
        Slots (m)          64
        Occupied (p)       40
        Filled below       48 (threshold)
        Traversals (N)     12 in this window
        Baseline (B)       16.0
        Grows above (U)    24.0
        Shrinks below (L)  8.0
        Window             10 s, ends in 4.0 s
        Queued             1234 tasks

        SUBMITTER  SLOTS
        ada           30
        bob           10

        CHANGED              FROM  TO  WHY
        2026-03-01 11:59:54    43  64  N = 25 > U = 16.1: m grows

        PARAMETER         VALUE
        buffer.window.ms  10000
        """,
        output());
    JsonNode buffer = json("buffer", "--json");
    assertEquals(40, buffer.path("occupied").asInt());
    assertEquals("2026-03-01T12:00:04Z", buffer.path("windowEnds").asText());
    assertEquals(30, buffer.at("/shares/ada").asInt());
    assertEquals(64, buffer.at("/changes/0/to").asInt());
    assertEquals("10000", buffer.path("parameters").path("buffer.window.ms").asText());
  }

  @Test
  void listsThoseThatAPrefixMayMean() throws IOException {
    services.jobs().put(Samples.running(ID));
    services.jobs().put(Samples.failed(Samples.id("1a77")));
    assertEquals(1, run("job", "status", "1a"));
    assertEquals(
        """
        weft: more than one job has an id that starts with 1a; give more digits:
          1a2b3c4d000000000000000000000000  RUNNING  count words
          1a770000000000000000000000000000  FAILED  count words
        """,
        errors());
  }

  @Test
  void saysThatAJobIsNotKnown() throws IOException {
    for (String id : List.of("ff", "zz", "", "1".repeat(40))) {
      errors.reset();
      assertEquals(1, run("job", "status", id));
      assertEquals(
          "weft: no job has an id that starts with '"
              + id
              + "': 'weft job list --all' shows them\n",
          errors());
    }
  }

  @Test
  void theVersionIsAnOptionToo() throws IOException {
    assertEquals(0, run("--version"));
    assertTrue(output().startsWith("weft "), output());
  }

  @Test
  void showsDiscovery() throws IOException {
    assertEquals(0, run("discovery", "--lines", "1"));
    assertEquals(
        """
        DISCOVERY  INTERFACE  SENT  RECEIVED  DROPPED  FAILED
        coap       lo           12         3        1       0
        mdns       eth0          1         0        0       2

        coap on lo, latest first:
          2026-03-01 11:59:58  DROPPED   own announcement

        SEEN      VIA   ADDRESS            AGE  STATE
        0badcafe  coap  127.0.0.1:41235  5.0 s  peer a1a1a1a1
        """,
        output());
    assertEquals(1, run("discovery", "--lines", "33"));
  }

  @Test
  void showsTheManager() throws IOException {
    services.jobs().put(Samples.running(ID));
    services.jobs().put(Samples.running(Samples.id("2b")));
    services.jobs().put(Samples.failed(Samples.id("3c")));
    assertEquals(0, run("status"));
    assertEquals(
        """
        Version    1.2.3
        Node       c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3
        Host       desk
        Roles      manager
        Uptime     1 h 2 min, boot 4
        Endpoints  coap://127.0.0.1:41234
        Placement  rank 1.0.0
        Peers      0
        Nodes      2: 1 ready, 1 down
        Jobs       3: 2 running, 1 failed
        WARNING  insecure: 192.168.1.5 is open to everybody
        """,
        output());
  }

  @Test
  void listsPolicies() throws IOException {
    assertEquals(0, run("policy", "list"));
    assertEquals(
        """
        KIND       NAME    VERSION  RANKING  USED  BUNDLE
        placement  spread  2.0.0         10  yes   acme.spread
        placement  rank    1.0.0          0  no    weft.policy.rank
        split      even    1.0.0          0  yes   weft.policy.even
        """,
        output());
  }

  @Test
  void writesStableJson() throws IOException {
    services.jobs().put(Samples.pending(ID));
    services.jobs().putTasks(ID, Samples.tasks(ID));
    JsonNode job = json("job", "status", "--tasks", "--json", "1a");
    assertEquals(ID.hex(), job.path("id").asText());
    assertEquals("2026-03-01T11:58:55Z", job.path("submitted").asText());
    assertTrue(job.path("started").isNull());
    assertEquals(4, job.at("/counts/waiting").asInt());
    assertEquals("alpha", job.at("/waiting/refusals/0/name").asText());
    assertEquals(3, job.at("/tasks/1/attempts/0/exitCode").asInt());
    assertEquals("rank 1.0.0", job.at("/tasks/2/refused/policy").asText());
    JsonNode node = json("node", "show", "--json", "alpha");
    assertEquals(1500, node.at("/given/ree/cpuMilli").asLong());
    assertEquals(2_000, node.at("/offered/ree/gpuMilli").asLong());
    assertEquals(24L << 30, node.at("/offered/ree/gpuMemoryBytes").asLong());
    assertEquals(1_000, node.at("/offered/ree/gpu.1Milli").asLong());
    assertEquals(8L << 30, node.at("/offered/ree/gpu.1.memoryBytes").asLong());
    assertEquals(3L << 30, node.at("/used/memoryBytes").asLong());
    assertEquals("lab", node.at("/labels/room").asText());
    assertEquals(2, json("node", "list", "--json").path("nodes").size());
    assertEquals(1, json("job", "list", "--json").path("jobs").size());
    assertEquals(
        "DROPPED", json("discovery", "--json").at("/discoveries/0/recent/0/kind").asText());
    assertEquals(3_725, json("status", "--json").path("uptimeSeconds").asLong());
    assertFalse(json("policy", "list", "--json").at("/policies/1/used").asBoolean());
    assertEquals(3, json("job", "why", "--json", "1a").path("tasks").size());
    assertEquals(1, json("job", "why", "--json", "1a", "3").path("tasks").size());
    assertTrue(json("job", "cancel", "--json", "1a").path("cancelled").asBoolean());
  }

  @Test
  void everyCommandHasHelpWithAnExample() throws IOException {
    for (var group : CommandTree.create().getSubcommands().entrySet()) {
      for (var command : group.getValue().getSubcommands().keySet()) {
        output.reset();
        assertEquals(0, run(group.getKey(), command, "--help"));
        assertTrue(output().contains("Example"), group.getKey() + " " + command);
      }
    }
  }

  @Test
  void completionInTheDistributionIsUpToDate() throws IOException {
    Path file = Path.of("../../distribution/src/main/completion/weft.bash");
    assertEquals(
        Completion.script(),
        Files.readString(file),
        "write it anew with: weft completion bash > distribution/src/main/completion/weft.bash");
  }
}
