package dev.weft.process;

/** Processes by {@code posix_spawn}; this machine's C library has what that needs. */
class SpawnExecutorTest extends ProcessExecutorCases {
  @Override
  Starter starter() {
    return new SpawnStarter();
  }
}
