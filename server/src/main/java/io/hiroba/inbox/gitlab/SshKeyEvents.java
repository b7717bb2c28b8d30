package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Mirrors the SSH keys that people have in GitLab. Their expiry is not sent. */
final class SshKeyEvents implements GitlabEvents.Handler {

    private static final String REMOVED = "removed";
    private static final String NAMESPACE = "keys";
    private static final int MAX_KEY_LENGTH = 20_000;

    private final GitlabNamespaces namespaces;
    private final ResourceMirror resources;

    SshKeyEvents(GitlabNamespaces namespaces, ResourceMirror resources) {
        this.namespaces = namespaces;
        this.resources = resources;
    }

    @Override
    public DeliveryOutcome handle(GitlabEvent event) {
        var tx = event.tx();
        var root = event.root();
        var id = JsonFields.id(root);
        var key = JsonFields.find(root, "key");
        if (id.isEmpty() || key.isEmpty() || key.get().length() > MAX_KEY_LENGTH) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.key-without-id"));
        }
        var at = event.at(root);
        boolean removed = event.kind().equals("key_destroy");
        var known = resources.find(tx, event.connection(), ResourceType.SSH_KEY, id.get());
        // Keys are never changed or restored, so a removal counts whichever event arrives first.
        if (!removed && known.filter(old -> old.state().equals(REMOVED)).isPresent()) {
            return DeliveryOutcome.handled(Text.of("inbox.outcome.key-removed", "id", id.get()));
        }
        var parts = key.get().split("\\s+", 3);
        // Without a comment of its own it is told by its owner and kind, which are the same in every language.
        var title = parts.length == 3 ? parts[2] : "%s (%s)".formatted(JsonFields.text(root, "username"), parts[0]);
        resources.upsert(
                tx,
                new ResourceSnapshot(
                        event.connection(),
                        namespaces
                                .at(tx, event.connection(), NAMESPACE, null, at)
                                .id(),
                        id.get(),
                        title,
                        null,
                        removed ? REMOVED : "active",
                        removed && known.isPresent() && at.isBefore(known.get().changedAt())
                                ? known.get().changedAt()
                                : at,
                        new ResourceDetails.SshKey(
                                null, key.get(), fingerprint(parts.length > 1 ? parts[1] : key.get()), null)));
        return DeliveryOutcome.handled(Text.of("inbox.outcome.key", "id", id.get()));
    }

    private static String fingerprint(String blob) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(blob);
        } catch (IllegalArgumentException e) {
            bytes = blob.getBytes(StandardCharsets.UTF_8);
        }
        return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(Sha256.of(bytes));
    }
}
