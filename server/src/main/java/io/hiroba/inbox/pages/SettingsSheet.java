package io.hiroba.inbox.pages;

import io.hiroba.inbox.Action;
import java.util.List;
import java.util.stream.Stream;

/**
 * What somebody has said about their inbox.
 *
 * @param keepsMoot whether what wants nothing any more stays
 * @param namespaces those that they may say something about
 */
public record SettingsSheet(
        List<Wish> wishes,
        boolean keepsMoot,
        List<Choice> namespaces,
        List<Name> names,
        List<Key> keys,
        String email,
        String zone) {

    /** What is to come of one kind of items: {@code namespace} and {@code action} are empty for all. */
    public record Wish(String namespace, String action, String where, String why, String how) {}

    /** A name that they have elsewhere. */
    public record Name(String id, String name, String standing, boolean isWaiting) {}

    public record Key(String id, String title, String fingerprint, String expires, boolean isExpired) {}

    public List<Choice> actions() {
        return Stream.of(Action.values())
                .map(action -> new Choice(action.text(), Wording.label(action)))
                .toList();
    }

    public List<Choice> deliveries() {
        return SettingsSheets.DELIVERIES;
    }
}
