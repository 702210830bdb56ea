package dev.weft.shell.client;

import dev.weft.core.bus.Bus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.job.JobService;
import dev.weft.core.resources.ResourceManager;
import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.Services;
import java.time.Instant;
import java.util.List;

/** What a command that runs in the client has to work with. */
final class NoServices implements Services {
  @Override
  public JobService jobs() throws CommandException {
    throw none();
  }

  @Override
  public ResourceManager resources() throws CommandException {
    throw none();
  }

  @Override
  public Bus bus() throws CommandException {
    throw none();
  }

  @Override
  public LocalNode localNode() throws CommandException {
    throw none();
  }

  @Override
  public List<Policy> policies() {
    return List.of();
  }

  @Override
  public String version() {
    return "";
  }

  @Override
  public Instant started() {
    return Instant.EPOCH;
  }

  private static CommandException none() {
    return new CommandException("this command needs a manager");
  }
}
