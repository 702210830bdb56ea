package dev.weft.itests.cluster;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.itests.policy.LastNodePolicy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;

/** A placement policy that is dropped into the running manager and removed again. */
class PolicySwapTest extends ClusterTest {
  private static final String COMPONENT =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="last">
        <implementation class="dev.weft.itests.policy.LastNodePolicy"/>
        <service><provide interface="dev.weft.api.policy.PlacementPolicy"/></service>
        <property name="weft.policy.name" value="last"/>
        <property name="weft.policy.version" value="2.1.0"/>
      </scr:component>
      """;

  @Test
  void theNextJobUsesItAndARunningOneGoesOn() throws Exception {
    var manager = cluster.startManager();
    cluster.startAgent("one", "offer.cpu = 2");
    cluster.startAgent("two", "offer.cpu = 2");
    cluster.awaitReady(2);
    awaitPolicy("rank 1.0.0");
    String running =
        submit(indexJob(40, "sleep 0.4; echo $WEFT_TASK", "{ cpu: 1, memory: 16MiB }"));

    Path jar = work.resolve("policy.jar");
    writeBundle(jar);
    Path dropped = manager.data().resolve("deploy/policy.jar");
    Files.copy(jar, dropped);
    awaitPolicy("last 2.1.0");
    assertWhereAndWhy(runNext(), "last 2.1.0");

    Files.delete(dropped);
    awaitPolicy("rank 1.0.0");
    assertWhereAndWhy(runNext(), "rank 1.0.0");
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> job(running).get("state").asText().equals("COMPLETED"));
    assertEachIndexOnce(40);
    assertEquals(0, job(running).get("counts").get("failed").asInt());
  }

  private com.fasterxml.jackson.databind.JsonNode runNext() throws IOException {
    Path file =
        Files.writeString(
            work.resolve("next.yaml"),
            """
            name: next
            command: [echo, next]
            input: { count: 4 }
            demand: { cpu: 100m, memory: 16MiB }
            priority: 90
            """);
    String id = submit(file);
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> job(id).get("state").asText().equals("COMPLETED"));
    return job(id);
  }

  private void awaitPolicy(String policy) {
    await()
        .atMost(Duration.ofSeconds(15))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              var status = cluster.client("status", "--json");
              return status.exitCode() == 0
                  && status.json().at("/placementPolicy").asText().equals(policy);
            });
  }

  private static void writeBundle(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Bundle-ManifestVersion", "2");
    main.putValue("Bundle-SymbolicName", "example.policy.last");
    main.putValue("Bundle-Version", "2.1.0");
    main.putValue("Import-Package", "dev.weft.api,dev.weft.api.policy");
    main.putValue("Service-Component", "OSGI-INF/last.xml");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new JarEntry("OSGI-INF/last.xml"));
      out.write(COMPONENT.getBytes(StandardCharsets.UTF_8));
      String name = LastNodePolicy.class.getName().replace('.', '/') + ".class";
      out.putNextEntry(new JarEntry(name));
      try (InputStream in = LastNodePolicy.class.getClassLoader().getResourceAsStream(name)) {
        in.transferTo(out);
      }
    }
  }
}
