package dev.weft.bus;

import dev.weft.api.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What makes a node the same one after a restart: its key and its boot number, on disk. A file that
 * cannot be read is an error, never replaced: a new key would make another node of it.
 */
final class NodeFiles {
  private static final int MAXIMUM_FILE = 8_192;
  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN PRIVATE KEY-----(.+)-----END PRIVATE KEY-----\\s*"
              + "-----BEGIN PUBLIC KEY-----(.+)-----END PUBLIC KEY-----\\s*",
          Pattern.DOTALL);

  private final Path folder;

  NodeFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * The node's id: the SHA-256 hash of its public key, which is made at the first start (EC P-256).
   *
   * @throws IOException if the key is damaged or cannot be stored; the message names the file
   */
  NodeId id() throws IOException {
    Path file = folder.resolve("key.pem");
    try {
      if (!Files.exists(file)) {
        store(file, pem(newKey()));
      }
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(read(file).getEncoded());
      return new NodeId(HexFormat.of().formatHex(hash));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(
          "the node's key in "
              + file
              + " is damaged; restore it, or delete it to become a new node",
          e);
    }
  }

  /**
   * Raises the boot number by one and stores it.
   *
   * @throws IOException if it is damaged or cannot be stored; the message names the file
   */
  long nextBoot() throws IOException {
    Path file = folder.resolve("boot");
    long boot = 1;
    if (Files.exists(file)) {
      try {
        boot = Math.addExact(Long.parseLong(text(file).strip()), 1);
        if (boot < 2) {
          throw new NumberFormatException("never used: " + (boot - 1));
        }
      } catch (ArithmeticException | NumberFormatException e) {
        throw new IOException(
            "the boot number in " + file + " is damaged; write a higher one than ever used", e);
      }
    }
    store(file, boot + "\n");
    return boot;
  }

  private static KeyPair newKey() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static String pem(KeyPair key) {
    return section("PRIVATE", key.getPrivate().getEncoded())
        + section("PUBLIC", key.getPublic().getEncoded());
  }

  private static String section(String kind, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + kind + " KEY-----\n" + text + "\n-----END " + kind + " KEY-----\n";
  }

  /** Reads both halves and returns the public one. */
  private static PublicKey read(Path file) throws IOException, GeneralSecurityException {
    Matcher matcher = PEM.matcher(text(file));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no private and public key");
    }
    KeyFactory factory = KeyFactory.getInstance("EC");
    PrivateKey secret =
        factory.generatePrivate(
            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1))));
    PublicKey open =
        factory.generatePublic(
            new X509EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(2))));
    if (!belongTogether(secret, open)) {
      throw new IllegalArgumentException("private and public key are of two pairs");
    }
    return open;
  }

  private static boolean belongTogether(PrivateKey secret, PublicKey open)
      throws GeneralSecurityException {
    byte[] sample = open.getEncoded();
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(secret);
    signature.update(sample);
    byte[] signed = signature.sign();
    signature.initVerify(open);
    signature.update(sample);
    return signature.verify(signed);
  }

  private static String text(Path file) throws IOException {
    if (Files.size(file) > MAXIMUM_FILE) {
      throw new IOException(file + " is longer than " + MAXIMUM_FILE + " bytes");
    }
    return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
  }

  /** Stores a file so that a crash leaves the old or the new one, readable by this user only. */
  private void store(Path file, String text) throws IOException {
    Files.createDirectories(folder);
    Path temporary = Files.createTempFile(folder, "new", ".tmp");
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-------"));
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
