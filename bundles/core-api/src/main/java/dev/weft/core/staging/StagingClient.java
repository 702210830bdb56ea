package dev.weft.core.staging;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** The node's side of staging. A service; thread-safe; its methods block for the transfer. */
@ProviderType
public interface StagingClient {
  /**
   * Brings bytes into a file, from the cache if they are there.
   *
   * @param from the manager's staging area
   * @param content which bytes; checked
   * @param target file to make, read-only; must not exist
   * @throws StagingException if it could not be done; nothing is left behind
   */
  void fetch(InetSocketAddress from, ContentId content, Path target) throws StagingException;

  /**
   * Delivers a result; returns when the manager has it and has checked it.
   *
   * @param to the manager's staging area
   * @param attempt whose result
   * @param file its bytes
   * @throws StagingException if it could not be done
   */
  ContentId deliver(InetSocketAddress to, AttemptId attempt, Path file) throws StagingException;
}
