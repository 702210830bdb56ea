package dev.weft.staging;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a node and a staging area, and spoils what the area sends. */
final class Proxy implements AutoCloseable {
  private final ServerSocket listener;
  private final int target;
  private final Spoiler spoiler;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  /** Does something to the stream from the area to the node. */
  interface Spoiler {
    /**
     * Called with each block.
     *
     * @param connection number of the connection, from 1
     * @param position of the first byte of the block in the stream
     * @return how many bytes of it to pass on; less than {@code length} cuts the connection
     */
    int spoil(int connection, long position, byte[] block, int length);
  }

  Proxy(int target, Spoiler spoiler) throws IOException {
    this.target = target;
    this.spoiler = spoiler;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  int connections() {
    return connections.get();
  }

  private void accept() throws IOException {
    while (true) {
      Socket node = listener.accept();
      Socket area = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.addAll(List.of(node, area));
      int number = connections.incrementAndGet();
      start(() -> pump(node, area, (connection, position, block, length) -> length, number));
      start(() -> pump(area, node, spoiler, number));
    }
  }

  private static void pump(Socket from, Socket to, Spoiler spoiler, int number) throws IOException {
    byte[] block = new byte[1_000];
    long position = 0;
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int read = in.read(block);
      while (read >= 0) {
        int pass = spoiler.spoil(number, position, block, read);
        out.write(block, 0, pass);
        if (pass < read) {
          return;
        }
        position += read;
        read = in.read(block);
      }
    }
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // The other end was closed: that is what this is for.
                Thread.currentThread().interrupt();
              }
            },
            "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
