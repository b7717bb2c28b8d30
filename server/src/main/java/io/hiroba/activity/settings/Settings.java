package io.hiroba.activity.settings;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.activity.digest.Digest;
import io.hiroba.activity.digest.DigestTime;
import io.hiroba.platform.db.Db;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Muted kinds and the digest. */
public final class Settings {

    private final Db db;
    private final InstantSource clock;
    private final ZoneId serverZone;
    private final SettingsStore store = new SettingsStore();

    /** {@code serverZone} is for those who have not said where they live. */
    public Settings(Db db, InstantSource clock, ZoneId serverZone) {
        this.db = db;
        this.clock = clock;
        this.serverZone = serverZone;
    }

    public Preferences of(UserId user) {
        return db.read(reads -> store.find(reads, user)).orElse(Preferences.DEFAULT);
    }

    /** When the next digest goes out, if the user wants one and there is something to tell. */
    public Optional<Instant> nextDigest(UserId user) {
        return db.read(reads -> store.nextDigest(reads, user));
    }

    /** Replaces them all. The next digest comes at its hour from now on; one that is due before comes if its rhythm stays. */
    public Preferences replace(Caller caller, Preferences preferences) {
        var user = caller.user();
        var now = clock.instant();
        db.useTransaction(tx -> {
            var zone = store.zone(tx, user).map(ZoneId::of).orElse(serverZone);
            store.save(tx, user, preferences, nextDigest(preferences.digest(), zone, now));
        });
        return preferences;
    }

    private static @Nullable Instant nextDigest(Digest digest, ZoneId zone, Instant now) {
        return digest == Digest.OFF ? null : DigestTime.next(digest, zone, now);
    }
}
