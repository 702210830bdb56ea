package dev.weft.staging;

import dev.weft.api.ContentId;
import dev.weft.api.JobId;
import dev.weft.core.staging.StagingArea.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is offered to nodes, and for which job. Several jobs may offer the same content. */
final class Offers {
  private final Map<ContentId, List<Offer>> byContent = new HashMap<>();
  private final Map<JobId, List<ContentId>> byJob = new HashMap<>();

  private record Offer(JobId job, Source source) {}

  synchronized void add(JobId job, ContentId content, Source source) {
    List<Offer> offers = byContent.getOrDefault(content, List.of());
    boolean known = offers.stream().anyMatch(offer -> offer.job().equals(job));
    List<Offer> more = new ArrayList<>(offers);
    more.removeIf(offer -> offer.job().equals(job));
    more.add(new Offer(job, source));
    byContent.put(content, List.copyOf(more));
    if (!known) {
      byJob.computeIfAbsent(job, key -> new ArrayList<>()).add(content);
    }
  }

  /** Where the content is, the latest offer first. */
  synchronized List<Source> find(ContentId content) {
    List<Source> sources = new ArrayList<>();
    for (Offer offer : byContent.getOrDefault(content, List.of())) {
      sources.add(0, offer.source());
    }
    return sources;
  }

  synchronized void forget(JobId job) {
    List<ContentId> contents = byJob.remove(job);
    if (contents == null) {
      return;
    }
    for (ContentId content : contents) {
      byContent.computeIfPresent(
          content,
          (key, offers) -> {
            List<Offer> rest = offers.stream().filter(offer -> !offer.job().equals(job)).toList();
            return rest.isEmpty() ? null : rest;
          });
    }
  }
}
