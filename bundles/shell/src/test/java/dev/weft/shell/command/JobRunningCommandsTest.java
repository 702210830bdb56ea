package dev.weft.shell.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weft.api.AttemptId;
import dev.weft.api.TaskId;
import dev.weft.core.message.Message;
import dev.weft.shell.fake.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each command that does something with a job, with exactly what it prints. */
class JobRunningCommandsTest extends CommandTester {
  @Test
  void cancelsOnce() throws IOException {
    services.jobs().put(Samples.running(ID));
    assertEquals(0, run("job", "cancel", "1a"));
    assertEquals("job 1a2b3c4d is being cancelled\n", output());
    assertEquals(1, run("job", "cancel", "1a"));
    assertEquals(
        "weft: job 1a2b3c4d had ended already (CANCELLED); nothing was cancelled\n", errors());
  }

  @Test
  void cancelsSeveralOrNone() throws IOException {
    services.jobs().put(Samples.running(ID));
    services.jobs().put(Samples.failed(Samples.id("2b")));
    services.jobs().put(Samples.running(Samples.id("3c")));
    assertEquals(1, run("job", "cancel", "3c", "zz"));
    assertEquals("", output());
    errors.reset();
    assertEquals(1, run("job", "cancel", "1a", "2b", "3c"));
    assertEquals("job 1a2b3c4d is being cancelled\njob 3c000000 is being cancelled\n", output());
    assertEquals(
        "weft: job 2b000000 had ended already (FAILED); nothing was cancelled\n", errors());
  }

  @Test
  void validatesSteps() throws IOException {
    assertEquals(0, run("job", "validate", "steps"));
    assertEquals(
        """
        steps: valid, 2 steps, in the order of what they need:
        STEP         NEEDS  EACH TASK TAKES
        clean            0  8 cpu
        count words      1  8 cpu
        """,
        output());
    JsonNode valid = json("job", "validate", "--json", "steps");
    assertEquals("count words", valid.path("name").asText());
    assertEquals(1, valid.at("/steps/1/needs").asInt());
    assertEquals(8_000, valid.at("/steps/0/demand/ree/cpuMilli").asInt());
  }

  @Test
  void saysHowAJobEndedThatDidNotSimplyFail() throws IOException {
    services.jobs().put(Samples.timedOut(ID));
    assertEquals(1, run("job", "watch", "--quiet", "1a"));
    assertEquals(
        "job 1a2b3c4d failed (TIMEOUT): task 3 ran longer than 1 h [task.timeout]\n", errors());
  }

  @Test
  void printsLogs() throws IOException {
    services.jobs().put(Samples.failed(ID));
    services.jobs().putTasks(ID, Samples.tasks(ID));
    AttemptId first = new AttemptId(new TaskId(ID, 0), 1);
    services.jobs().putLog(first, Message.Stream.OUTPUT, "one\ntwo\nthree and more\n");
    assertEquals(0, run("job", "logs", "1a", "0"));
    assertEquals("one\ntwo\nthree and more\n", output());
    assertEquals(1, run("job", "logs", "1a"));
    assertEquals(
        """
        ==> task 0, try 1 on alpha <==
        ==> task 3, try 2 on beta <==
        no log of 1a2b3c4d/3#2: the node has no such log [log.gone]
        """,
        errors());
    errors.reset();
    assertEquals(1, run("job", "logs", "1a", "merge"));
    assertEquals(
        "weft: task merge of job 1a2b3c4d has not been started: see why with weft job why"
            + " 1a2b3c4d merge\n",
        errors());
    errors.reset();
    assertEquals(1, run("job", "logs", "1a", "99"));
    assertEquals(
        "weft: job 1a2b3c4d has no task '99': it has 3 tasks; 'weft job status --tasks 1a2b3c4d'"
            + " shows them\n",
        errors());
    errors.reset();
    assertEquals(1, run("job", "logs", "1a", "--follow"));
    assertTrue(
        errors().startsWith("weft: --follow and --try need a TASK when the job has"), errors());
  }

  @Test
  void printsTheLogOfAnEarlierTry() throws IOException {
    services.jobs().put(Samples.failed(ID));
    services.jobs().putTasks(ID, Samples.tasks(ID));
    AttemptId first = new AttemptId(new TaskId(ID, 0), 1);
    services.jobs().putLog(first, Message.Stream.ERRORS, "oops\n");
    assertEquals(0, run("job", "logs", "1a", "0", "--try", "1", "--stream", "stderr"));
    assertEquals("oops\n", output());
    assertEquals(1, run("job", "logs", "1a", "0", "--try", "9"));
    assertEquals(
        "weft: task 0 of job 1a2b3c4d has no try 9: see them with weft job why 1a2b3c4d 0\n",
        errors());
  }

  @Test
  void watchesAJobThatHasFailedAlready() throws IOException {
    services.jobs().put(Samples.cancelled(ID));
    assertEquals(1, run("job", "watch", "1a"));
    assertTrue(errors().endsWith("job 1a2b3c4d was cancelled\n"), errors());
  }

  @Test
  void printsTheResult(@TempDir Path folder) throws IOException {
    Path result = Files.writeString(folder.resolve("result"), "merged\n");
    services.jobs().put(Samples.running(ID));
    assertEquals(1, run("job", "output", "1a"));
    services.jobs().put(Samples.completed(ID, Optional.empty()));
    services.jobs().putResult(ID, result);
    assertEquals(0, run("job", "output", "1a"));
    assertEquals("merged\n", output());
  }

  @Test
  void printsProblemsAsCompilersDo() throws IOException {
    assertEquals(1, run("job", "validate", "bad"));
    assertEquals(
        "bad:3:5: input.lines.file: there is no file data.csv\nbad: a command is missing\n",
        errors());
    errors.reset();
    assertEquals(1, run("job", "run", "bad"));
    assertEquals(
        "bad:3:5: input.lines.file: there is no file data.csv\nbad: a command is missing\n",
        errors());
    assertEquals("", output());
  }

  @Test
  void validatesWithAHintWhenNoNodeCouldEverTakeIt() throws IOException {
    assertEquals(0, run("job", "validate", "huge"));
    assertEquals("huge: valid, job 'count words'\n", output());
    assertEquals(
        """
        No node that is known could ever take a task of it:
          alpha (a1a1a1a1): needs 8 cpu, has 2 cpu free
        """,
        errors());
    JsonNode valid = json("job", "validate", "--json", "huge");
    assertTrue(valid.path("valid").asBoolean());
    assertEquals(Samples.ALPHA.hex(), valid.at("/neverFits/refusals/0/node").asText());
  }

  @Test
  void saysAtOnceThatAJobNeverFits() throws IOException {
    assertEquals(2, run("job", "run", "huge"));
    assertEquals(
        "job "
            + "1a2b3c40000000000000000000000000"
            + "\nNo node could ever take a task of job 1a2b3c40:\n"
            + "  alpha (a1a1a1a1): needs 8 cpu, has 2 cpu free\n"
            + "The job stays queued and starts as soon as a node fits; see why with: weft job why"
            + " 1a2b3c40, stop it with: weft job cancel 1a2b3c40\n",
        errors());
  }

  @Test
  void saysThatNothingIsPlacedNow() throws IOException {
    assertEquals(2, run("job", "run", "--placement-wait", "0", "--quiet", "x"));
    assertEquals(
        "No node can take a task of job 1a2b3c40 now.\n"
            + "Task 0 waits (RESOURCES): no node fits\n"
            + "  alpha (a1a1a1a1): needs 8 cpu, has 2 cpu free\n"
            + "  beta (b2b2b2b2): needs 8 cpu, has 2 cpu free\n"
            + "The job stays queued and starts as soon as a node fits; see why with: weft job why"
            + " 1a2b3c40, stop it with: weft job cancel 1a2b3c40\n",
        errors());
    assertEquals(0, services.jobs().watches());
  }

  @Test
  void detaches() throws IOException {
    assertEquals(0, run("job", "run", "--detach", "x"));
    assertEquals("1a2b3c40" + "0".repeat(24) + "\n", output());
    assertEquals("", errors());
  }
}
