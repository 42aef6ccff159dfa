import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks of vatfx (Standard Webhooks 1.0). */
public final class WebhookSignature {
    private static final int KEY_BYTES_MIN = 24;
    private static final long TOLERANCE_SECONDS = 300;

    private WebhookSignature() {}

    /**
     * The key of a secret.
     *
     * @throws IllegalArgumentException unless it is whsec_ and at least 24 bytes: anybody can sign with an empty one
     */
    public static byte[] readKey(String secret) {
        byte[] key = {};
        if (secret != null && secret.startsWith("whsec_")) {
            key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        }
        if (key.length < KEY_BYTES_MIN) {
            throw new IllegalArgumentException("expected whsec_ and at least 24 bytes in base64");
        }
        return key;
    }

    /**
     * Whether the header webhook-signature has a signature of this secret for these bytes, at most five minutes old.
     *
     * @param body the body as received, before it is parsed
     * @param now in seconds since 1970
     * @throws IllegalArgumentException as readKey does
     */
    public static boolean isSigned(
            String secret, String id, String timestamp, String signatures, byte[] body, long now)
            throws GeneralSecurityException {
        byte[] key = readKey(secret);
        if (!timestamp.matches("[0-9]{1,12}") || Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
            return false;
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)))
                .getBytes(StandardCharsets.UTF_8);
        // During a rotation there are several signatures. isEqual takes the same time wherever they differ.
        for (String signature : signatures.split(" ")) {
            if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) {
                return true;
            }
        }
        return false;
    }
}
