package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of preferences. */
final class PreferencesStore {

    Optional<Preferences> find(Reads reads, UserId user) {
        return reads.query("SELECT muted_kinds, digest FROM activity.preferences WHERE user_id = :user")
                .bind("user", user.value())
                .map(row -> new Preferences(
                        Arrays.stream((String[]) row.getArray("muted_kinds").getArray())
                                .map(kind -> NotificationKind.find(kind).orElseThrow())
                                .collect(Collectors.toSet()),
                        DigestFrequency.find(row.getString("digest")).orElseThrow()))
                .findOne();
    }

    Optional<Instant> nextDigest(Reads reads, UserId user) {
        return reads.query("""
                        SELECT next_digest_at FROM activity.preferences
                        WHERE user_id = :user AND next_digest_at IS NOT NULL
                        """).bind("user", user.value()).mapTo(Instant.class).findOne();
    }

    /** The time zone of the user, if they have set one. */
    Optional<String> zone(Reads reads, UserId user) {
        return reads.query("SELECT time_zone FROM accounts.user_zone WHERE user_id = :user AND time_zone IS NOT NULL")
                .bind("user", user.value())
                .mapTo(String.class)
                .findOne();
    }

    void save(Tx tx, UserId user, Preferences preferences, @Nullable Instant nextDigest) {
        tx.update("""
                        INSERT INTO activity.preferences AS p (user_id, muted_kinds, digest, next_digest_at)
                        VALUES (:user, :kinds, :digest, CAST(:next AS timestamptz))
                        ON CONFLICT (user_id) DO UPDATE
                        SET muted_kinds = excluded.muted_kinds, digest = excluded.digest,
                            next_digest_at = CASE WHEN p.digest = excluded.digest
                                                  THEN least(p.next_digest_at, excluded.next_digest_at)
                                                  ELSE excluded.next_digest_at END,
                            digested_until = CASE WHEN p.digest = 'off' THEN NULL ELSE p.digested_until END
                        """)
                .bind("user", user.value())
                .bindArray(
                        "kinds",
                        String.class,
                        preferences.mutedKinds().stream()
                                .map(NotificationKind::text)
                                .sorted()
                                .toArray())
                .bind("digest", preferences.digest().text())
                .bind("next", nextDigest)
                .execute();
    }
}
