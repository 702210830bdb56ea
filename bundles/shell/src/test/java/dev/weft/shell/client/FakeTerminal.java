package dev.weft.shell.client;

import dev.weft.shell.wire.Hello;
import java.util.concurrent.atomic.AtomicInteger;

/** A terminal that the test presses keys on. */
final class FakeTerminal implements LocalTerminal {
  private final boolean terminal;
  private final AtomicInteger rawEntered = new AtomicInteger();
  private final AtomicInteger rawLeft = new AtomicInteger();
  private volatile int columns = 100;
  private volatile Runnable interrupt = () -> {};
  private volatile Runnable resize = () -> {};

  FakeTerminal(boolean terminal) {
    this.terminal = terminal;
  }

  public void pressCtrlC() {
    interrupt.run();
  }

  public void resize(int newColumns) {
    columns = newColumns;
    resize.run();
  }

  /** Whether raw mode was entered and left as often. */
  public boolean isRestored() {
    return rawEntered.get() == rawLeft.get();
  }

  public int rawEntered() {
    return rawEntered.get();
  }

  @Override
  public Hello.Screen screen() {
    return new Hello.Screen(
        terminal, terminal, terminal, terminal, columns, 30, terminal ? "xterm" : "");
  }

  @Override
  public void onInterrupt(Runnable handler) {
    interrupt = handler;
  }

  @Override
  public void onResize(Runnable handler) {
    resize = handler;
  }

  @Override
  public Raw raw() {
    rawEntered.incrementAndGet();
    return rawLeft::incrementAndGet;
  }
}
