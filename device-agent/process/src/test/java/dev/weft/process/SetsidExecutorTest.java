package dev.weft.process;

/** Processes through {@code setsid}, where the C library is older or another one. */
class SetsidExecutorTest extends ProcessExecutorCases {
  @Override
  Starter starter() {
    return SetsidStarter.find(System.getenv("PATH")).orElseThrow();
  }
}
