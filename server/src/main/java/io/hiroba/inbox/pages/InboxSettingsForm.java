package io.hiroba.inbox.pages;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.DeliveryMode;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import java.util.stream.Stream;

/**
 * The settings of a user, as their page shows them.
 *
 * @param keepsResolved whether resolved items stay until they are dismissed
 * @param namespaces those that preferences can be set for
 */
public record InboxSettingsForm(
        List<Entry> preferences,
        boolean keepsResolved,
        List<InboxOption> namespaces,
        List<Name> names,
        List<Key> keys,
        String email,
        Reader reader) {

    /** A preference; {@code namespace} and {@code action} are empty for all. */
    public record Entry(String namespace, String action, String path, String reason, String delivery) {}

    /** A linked GitLab account. */
    public record Name(String id, String name, String status, boolean isPending) {}

    public record Key(String id, String title, String fingerprint, String expires, boolean isExpired) {}

    public List<InboxOption> actions() {
        return Stream.of(Action.values())
                .map(action -> new InboxOption(action.text(), reader.text(ItemText.label(action))))
                .toList();
    }

    public List<InboxOption> deliveries() {
        return Stream.of(DeliveryMode.ON, DeliveryMode.EMAIL, DeliveryMode.OFF)
                .map(delivery -> new InboxOption(delivery.text(), reader.text(label(delivery))))
                .toList();
    }

    static Text label(DeliveryMode delivery) {
        return Text.of("inbox.delivery-mode." + delivery.text());
    }
}
