import type { Snippet } from './snippet.ts';

export const java: Snippet = {
  before: `import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Webhooks {
`,
  service: `  /** body: the bytes as received, before any JSON parser. A signature is null where the header is missing. */
  static boolean isGenuine(byte[] body, String signature, String secret) {
    String expected = HexFormat.of().formatHex(hmac(secret.getBytes(StandardCharsets.UTF_8), body));
    return signature != null && MessageDigest.isEqual(expected.getBytes(), signature.getBytes());
  }

  private static byte[] hmac(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      for (byte[] part : parts) mac.update(part);
      return mac.doFinal();
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }
`,
  standard: `
  /** id, timestamp, signatures: the headers webhook-id, webhook-timestamp, webhook-signature; now is Instant.now(). */
  static boolean isGenuineNow(byte[] body, String id, String timestamp, String signatures, String secret, Instant now) {
    if (id == null || id.isEmpty() || timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,12}")) return false;
    if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
    byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    byte[] head = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(hmac(key, head, body))).getBytes();
    for (String one : signatures.split(" ")) if (MessageDigest.isEqual(expected, one.getBytes())) return true;
    return false;
  }
`,
  after: `}
`,
};
