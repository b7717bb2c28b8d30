package io.hiroba.activity;

import io.hiroba.activity.CardChange.ActAdded;
import io.hiroba.activity.RecipientStore.Recipient;
import io.hiroba.platform.db.Tx;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The time zones and mutes of the recipients of a batch of events. */
final class RecipientPreferences {

    private final RecipientStore store;
    private final Map<Long, Recipient> recipients;
    private final ZoneId serverZone;

    private RecipientPreferences(RecipientStore store, Map<Long, Recipient> recipients, ZoneId serverZone) {
        this.store = store;
        this.recipients = recipients;
        this.serverZone = serverZone;
    }

    /** @param serverZone for recipients without a time zone */
    static RecipientPreferences load(Tx tx, Collection<Long> recipients, ZoneId serverZone) {
        var store = new RecipientStore();
        return new RecipientPreferences(store, store.find(tx, recipients), serverZone);
    }

    /** The card of an act that is {@link #wanted}: that of its day in the recipient's time zone. */
    CardKey key(ActAdded added) {
        var at = Instant.ofEpochMilli(added.act().ts());
        return new CardKey(
                added.reader(),
                added.slot(),
                LocalDate.ofInstant(at, zone(added.reader())).toString());
    }

    private ZoneId zone(long reader) {
        var recipient = recipients.get(reader);
        if (recipient == null || recipient.zone() == null) {
            return serverZone;
        }
        try {
            return ZoneId.of(recipient.zone());
        } catch (DateTimeException e) {
            // A node with a newer time-zone database has accepted it.
            return serverZone;
        }
    }

    /** The acts that are neither muted, nor the recipient's own, nor of or about a blocked user. */
    Set<ActAdded> wanted(Tx tx, Collection<ActAdded> acts) {
        var candidates = acts.stream()
                .filter(added -> added.reader() != added.act().actor())
                .filter(this::isKindWanted)
                .toList();
        var wanted = new HashSet<>(candidates);
        store.suppressed(tx, candidates).forEach(n -> wanted.remove(candidates.get(n - 1)));
        return wanted;
    }

    /** False for recipients without an account too. */
    private boolean isKindWanted(ActAdded added) {
        var recipient = recipients.get(added.reader());
        return recipient != null
                && !recipient.mutedKinds().contains(added.slot().kind().text());
    }
}
