package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserUpdate;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class NotificationSettingsTest {

    private static final TestAccounts accounts = new TestAccounts();

    /** A Friday. */
    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-02T10:00:00Z"));

    private final NotificationSettings settings =
            new NotificationSettings(accounts.db, clock, ZoneId.of("Europe/Berlin"));
    private final Caller ann = accounts.caller(accounts.user("Ann"));

    @AfterAll
    static void close() {
        accounts.close();
    }

    private void digest(DigestFrequency digest) {
        settings.replace(ann, new Preferences(Set.of(), digest));
    }

    private @Nullable String next() {
        return accounts.db
                .read(reads -> reads.query("SELECT next_digest_at FROM activity.preferences WHERE user_id = :user")
                        .bind("user", ann.user().value())
                        .mapTo(OffsetDateTime.class)
                        .findOne())
                .map(due -> due.toInstant().toString())
                .orElse(null);
    }

    @Test
    void whoSaidNothingWantsEveryKindAndNoMail() {
        assertThat(settings.of(ann.user())).isEqualTo(new Preferences(Set.of(), DigestFrequency.OFF));
    }

    @Test
    void settingsAreReplacedAsAWhole() {
        var muted = new Preferences(Set.of(NotificationKind.FOLLOW, NotificationKind.LIKE), DigestFrequency.WEEKLY);
        assertThat(settings.replace(ann, muted)).isEqualTo(muted);
        assertThat(settings.of(ann.user())).isEqualTo(muted);
        settings.replace(ann, Preferences.DEFAULT);
        assertThat(settings.of(ann.user())).isEqualTo(Preferences.DEFAULT);
        assertThat(settings.of(accounts.user("Bob"))).isEqualTo(Preferences.DEFAULT);
    }

    @Test
    void theNextDigestFollowsTheChoice() {
        digest(DigestFrequency.DAILY);
        assertThat(next()).isEqualTo("2026-01-03T07:00:00Z");
        digest(DigestFrequency.WEEKLY);
        assertThat(next()).isEqualTo("2026-01-05T07:00:00Z");
        digest(DigestFrequency.OFF);
        assertThat(next()).isNull();
    }

    @Test
    void theNextDigestComesWhereTheUserLives() {
        var profile = accounts.users.profile(ann.user());
        var update = UserUpdate.of(profile);
        accounts.users.update(
                ann,
                ann.user(),
                new UserUpdate(
                        update.nickname(),
                        update.introduction(),
                        null,
                        null,
                        null,
                        ZoneId.of("Asia/Tokyo"),
                        null,
                        null));
        digest(DigestFrequency.DAILY);
        assertThat(next()).isEqualTo("2026-01-02T23:00:00Z");
    }

    @Test
    void aDigestThatIsDueStillComesThoughSettingsAreSaved() {
        digest(DigestFrequency.DAILY);
        clock.advance(Duration.ofDays(1));
        settings.replace(ann, new Preferences(Set.of(NotificationKind.LIKE), DigestFrequency.DAILY));
        assertThat(next()).isEqualTo("2026-01-03T07:00:00Z");
        digest(DigestFrequency.WEEKLY);
        assertThat(next()).isEqualTo("2026-01-05T07:00:00Z");
    }
}
