package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The facade of notification preferences: muted kinds and the digest. */
final class NotificationSettings {

    private final Db db;
    private final InstantSource clock;
    private final ZoneId serverZone;
    private final PreferencesStore store = new PreferencesStore();

    /** @param serverZone for users without a time zone */
    NotificationSettings(Db db, InstantSource clock, ZoneId serverZone) {
        this.db = db;
        this.clock = clock;
        this.serverZone = serverZone;
    }

    Preferences of(UserId user) {
        return db.read(reads -> store.find(reads, user)).orElse(Preferences.DEFAULT);
    }

    /** The time of the next digest, if the user gets one and there are unread cards by then. */
    Optional<Instant> nextDigest(UserId user) {
        return db.read(reads -> store.nextDigest(reads, user));
    }

    /** The time zone that the user's digests are scheduled in. */
    ZoneId digestZone(UserId user) {
        return db.read(reads -> zone(reads, user));
    }

    private ZoneId zone(Reads reads, UserId user) {
        return store.zone(reads, user).map(ZoneId::of).orElse(serverZone);
    }

    /** Replaces the preferences and schedules the next digest; one that is due before stays due if the frequency does. */
    Preferences replace(Caller caller, Preferences preferences) {
        var user = caller.user();
        var now = clock.instant();
        db.useTransaction(
                tx -> store.save(tx, user, preferences, nextDigest(preferences.digest(), zone(tx, user), now)));
        return preferences;
    }

    private static @Nullable Instant nextDigest(DigestFrequency digest, ZoneId zone, Instant now) {
        return digest == DigestFrequency.OFF ? null : DigestSchedule.next(digest, zone, now);
    }
}
