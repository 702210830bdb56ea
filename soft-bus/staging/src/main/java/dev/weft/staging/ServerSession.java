package dev.weft.staging;

import dev.weft.api.Fault;
import dev.weft.core.staging.StagingArea.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Serves the requests of one connection, one after the other. Each session has a thread. */
final class ServerSession {
  private final Offers offers;
  private final Results results;
  private final Disk disk;
  private final Path incoming;
  private volatile long reserve;
  private final Duration idle;
  private final AtomicLong names = new AtomicLong();

  /**
   * What all sessions share.
   *
   * @param incoming folder for what is being received
   * @param reserve bytes of the disk that results must leave free
   * @param idle how long a connection may wait for a request
   */
  ServerSession(
      Offers offers, Results results, Disk disk, Path incoming, long reserve, Duration idle) {
    this.offers = offers;
    this.results = results;
    this.disk = disk;
    this.incoming = incoming;
    this.reserve = reserve;
    this.idle = idle;
  }

  void setReserve(long bytes) {
    reserve = bytes;
  }

  /** Serves until the peer closes. */
  void serve(Wire wire) throws IOException {
    Optional<Request> request = wire.readRequest(idle);
    while (request.isPresent()) {
      if (request.get() instanceof Request.Get get) {
        get(wire, get);
      } else {
        put(wire, (Request.Put) request.get());
      }
      request = wire.readRequest(idle);
    }
  }

  private void get(Wire wire, Request.Get get) throws IOException {
    List<Source> sources = offers.find(get.content());
    if (sources.isEmpty()) {
      wire.sendError(Faults.unknown(get.content()));
      return;
    }
    Optional<Fault> wrong = Optional.empty();
    for (Source source : sources) {
      wrong = fault(source);
      if (wrong.isEmpty()) {
        send(wire, source);
        return;
      }
    }
    wire.sendError(wrong.orElseThrow());
  }

  private static void send(Wire wire, Source source) throws IOException {
    wire.sendOk(source.segments().get(0).file().toString());
    try {
      Transfer.send(wire, source);
    } catch (FaultException e) {
      wire.sendAborted(e.fault());
    }
  }

  /** Looks before anything is sent; the content itself is checked by the peer. */
  private static Optional<Fault> fault(Source source) {
    for (var segment : source.segments()) {
      try {
        if (Files.size(segment.file()) < segment.offset() + segment.length()) {
          return Optional.of(Faults.mismatch(segment.file().toString()));
        }
      } catch (IOException e) {
        return Optional.of(Faults.vanished(segment.file().toString()));
      }
    }
    return Optional.empty();
  }

  private void put(Wire wire, Request.Put put) throws IOException {
    Optional<Fault> refusal = refusal(put);
    if (refusal.isPresent()) {
      wire.sendError(refusal.get());
      return;
    }
    wire.sendOk("");
    Path file = incoming.resolve(names.incrementAndGet() + ".part");
    try {
      if (Transfer.receive(wire, put.content(), file, disk, true)) {
        store(wire, put, file);
      } else {
        wire.sendError(Faults.resultMismatch(Path.of("of " + put.attempt())));
      }
    } catch (FaultException e) {
      wire.sendError(e.fault());
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private Optional<Fault> refusal(Request.Put put) {
    long keep = reserve;
    if (!results.takes(put.attempt().task().job())) {
      return Optional.of(Faults.jobForgotten(put.attempt().task().job().toString()));
    }
    long free = disk.free(incoming);
    long wanted = put.content().length();
    return free - keep < wanted
        ? Optional.of(Faults.noRoom(incoming, Math.max(0, free - keep), wanted))
        : Optional.empty();
  }

  private void store(Wire wire, Request.Put put, Path file) throws IOException {
    Optional<Fault> failure = Optional.empty();
    try {
      results.store(put.attempt(), put.content(), file);
    } catch (IOException e) {
      failure = Optional.of(Faults.disk(file, disk.free(incoming), e));
    }
    if (failure.isPresent()) {
      wire.sendError(failure.get());
    } else {
      wire.sendOk("");
    }
  }
}
