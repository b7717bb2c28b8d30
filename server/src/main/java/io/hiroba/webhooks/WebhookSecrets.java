package io.hiroba.webhooks;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.secrets.Encryption;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The secrets of webhooks: {@code whsec_} and the key in base64, or a text whose bytes are the key. */
final class WebhookSecrets {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String PREFIX = "whsec_";
    private static final int KEY_BYTES = 32;
    private static final Duration GRACE = Duration.ofHours(24);
    private static final Pattern TEXT = Pattern.compile("[!-~]{16,200}");

    private final Encryption encryption;
    private final IdGenerator ids;
    private final WebhookSecretStore store = new WebhookSecretStore();

    WebhookSecrets(Encryption encryption, IdGenerator ids) {
        this.encryption = encryption;
        this.ids = ids;
        encryption.register(WebhookSecretStore.COLUMN);
    }

    /** The secret that somebody chose, or a new one. */
    static String chosen(@Nullable String secret) {
        if (secret == null || secret.isEmpty()) {
            var key = new byte[KEY_BYTES];
            RANDOM.nextBytes(key);
            return PREFIX + Base64.getEncoder().encodeToString(key);
        }
        if (!TEXT.matcher(secret).matches()) {
            throw WebhooksProblem.invalid("secret", Text.of("webhooks.field.secret"));
        }
        if (secret.startsWith(PREFIX) && key(secret).length < 16) {
            throw WebhooksProblem.invalid("secret", Text.of("webhooks.field.secret"));
        }
        return secret;
    }

    private static byte[] key(String secret) {
        if (!secret.startsWith(PREFIX)) {
            return secret.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(secret.substring(PREFIX.length()));
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** Sets the secret; a former one is signed with as well for a day. */
    void set(Tx tx, long webhook, String secret) {
        store.expire(tx, webhook, GRACE);
        long id = ids.next();
        store.insert(
                tx,
                id,
                webhook,
                encryption.encrypt(
                        tx, WebhookSecretStore.COLUMN, Long.toString(id), secret.getBytes(StandardCharsets.UTF_8)));
    }

    /** The keys to sign with, the newest first. */
    List<byte[]> keys(Reads reads, long webhook) {
        return store.valid(reads, webhook).stream()
                .map(row -> key(new String(
                        encryption.decrypt(WebhookSecretStore.COLUMN, Long.toString(row.id()), row.secret()),
                        StandardCharsets.UTF_8)))
                .toList();
    }
}
