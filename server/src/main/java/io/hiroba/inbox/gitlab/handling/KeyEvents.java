package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.gitlab.deliveries.Outcome;
import io.hiroba.inbox.resources.Details;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.inbox.resources.Told;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** SSH keys that people have there: mirrored. When they expire is not told. */
final class KeyEvents implements EventHandler {

    private static final String REMOVED = "removed";
    private static final String PLACE = "keys";
    private static final int LONGEST_KEY = 20_000;

    private final Places places;
    private final Resources resources;

    KeyEvents(Places places, Resources resources) {
        this.places = places;
        this.resources = resources;
    }

    @Override
    public Outcome handle(Event event) {
        var tx = event.tx();
        var root = event.root();
        var id = Fields.find(root, "id");
        var key = Fields.find(root, "key");
        if (id.isEmpty() || key.isEmpty() || key.get().length() > LONGEST_KEY) {
            return Outcome.ignored("It does not say which key it is about.");
        }
        var at = event.at(root);
        boolean removed = event.kind().equals("key_destroy");
        var known = resources.find(tx, event.connection(), ResourceType.SSH_KEY, id.get());
        // Keys are never changed, and none comes back: its end is what counts, whichever is told first.
        if (!removed && known.filter(old -> old.state().equals(REMOVED)).isPresent()) {
            return Outcome.handled("Key %s is removed already".formatted(id.get()));
        }
        var parts = key.get().split("\\s+", 3);
        var title = parts.length == 3 ? parts[2] : Fields.text(root, "username") + "'s key";
        resources.mirror(
                tx,
                new Told(
                        event.connection(),
                        places.at(tx, event.connection(), PLACE, null, at).id(),
                        id.get(),
                        title,
                        null,
                        removed ? REMOVED : "active",
                        removed && known.isPresent() && at.isBefore(known.get().changedAt())
                                ? known.get().changedAt()
                                : at,
                        new Details.SshKey(
                                null, key.get(), fingerprint(parts.length > 1 ? parts[1] : key.get()), null)));
        return Outcome.handled("Key %s".formatted(id.get()));
    }

    private static String fingerprint(String blob) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(blob);
        } catch (IllegalArgumentException e) {
            bytes = blob.getBytes(StandardCharsets.UTF_8);
        }
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
