package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.activity.DigestStore.Due;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.mail.Mailer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends digests that are due. Reading the cards, queueing the mail and recording what it covers are one transaction under the
 * lock of one row: whichever process is killed and however many nodes there are, a digest goes out once.
 */
final class Digests {

    private static final Logger log = LoggerFactory.getLogger(Digests.class);

    /** The newest cards, which get a sentence each. */
    private static final int MAX_SENTENCES = 20;

    private static final int MAX_COUNT = 1000;

    /** Digests that may be rescheduled in one run, as by the limit of a mail domain, before the rest waits for the next. */
    private static final int MAX_RESCHEDULED = 500;

    /** Digests of one run, so that a node which stops does not wait for all that are due. */
    private static final int MAX_PER_RUN = 2_000;

    private static final Duration MIN_DELAY = Duration.ofMinutes(1);
    private static final Duration RETRY_DELAY = Duration.ofHours(1);

    private final Db db;
    private final InstantSource clock;
    private final ZoneId serverZone;
    private final Users users;
    private final Notifications notifications;
    private final Mailer mailer;
    private final DigestMails mails;
    private final DigestStore store = new DigestStore();

    /** @param serverZone for users without a time zone */
    Digests(
            Db db,
            InstantSource clock,
            ZoneId serverZone,
            Users users,
            Notifications notifications,
            Mailer mailer,
            DigestMails mails) {
        this.db = db;
        this.clock = clock;
        this.serverZone = serverZone;
        this.users = users;
        this.notifications = notifications;
        this.mailer = mailer;
        this.mails = mails;
    }

    /** The result of claiming one digest. */
    private enum SendResult {
        /** None was due. */
        NONE,
        SENT,
        /** There was no unread card. */
        EMPTY,
        RESCHEDULED
    }

    /** Sends all digests that are due, as far as the mail limits permit. */
    void sendDue() {
        int rescheduled = 0;
        for (int n = 0; n < MAX_PER_RUN && rescheduled < MAX_RESCHEDULED; n++) {
            var outcome = sendNext();
            if (outcome == SendResult.NONE) {
                return;
            }
            rescheduled += outcome == SendResult.RESCHEDULED ? 1 : 0;
        }
    }

    /** The user whom the token of an unsubscribe link was issued for. */
    Optional<UserId> subscriber(String token) {
        return mails.subscriber(token);
    }

    void unsubscribe(UserId user) {
        db.useTransaction(tx -> store.turnOff(tx, user));
    }

    private SendResult sendNext() {
        var claimed = new AtomicReference<@Nullable UserId>();
        try {
            return db.inTransaction(tx -> store.claim(tx, clock.instant())
                    .map(due -> {
                        claimed.set(due.user());
                        return send(tx, due);
                    })
                    .orElse(SendResult.NONE));
        } catch (RuntimeException e) {
            var user = claimed.get();
            if (user == null) {
                throw e;
            }
            // A digest that always fails must not block the others.
            log.warn("The digest of {} failed and is retried in {}", user.hex(), RETRY_DELAY, e);
            var now = clock.instant();
            db.useTransaction(tx -> store.retry(tx, user, now, now.plus(RETRY_DELAY)));
            return SendResult.RESCHEDULED;
        }
    }

    private SendResult send(Tx tx, Due due) {
        var now = clock.instant();
        var user = due.user();
        var profile = users.find(tx, user).orElseThrow();
        var zone = profile.timeZone() == null ? serverZone : profile.timeZone();
        // From now on: a node that was down for days sends one, not all that it missed.
        var next = DigestSchedule.next(due.frequency(), zone, now);
        var after = due.until() == null ? now.minus(period(due.frequency())) : due.until();
        var uncovered = store.uncovered(tx, user, after, MAX_COUNT + 1);
        var newest = uncovered.newest();
        if (newest == null || users.isSuspended(tx, user)) {
            store.reschedule(tx, user, now, after, next);
            return SendResult.EMPTY;
        }
        int count = Math.min(uncovered.count(), MAX_COUNT);
        var language = profile.language() == null ? Language.ENGLISH : profile.language();
        var mail = mails.compose(
                profile.user(),
                new Reader(language, zone, now),
                due.frequency(),
                cards(tx, user, after, newest),
                count,
                uncovered.count() > MAX_COUNT);
        var wait = mailer.sendIfRoom(tx, mail);
        if (wait.isPresent()) {
            var delay = wait.get().compareTo(MIN_DELAY) > 0 ? wait.get() : MIN_DELAY;
            store.reschedule(tx, user, now, after, now.plus(delay));
            return SendResult.RESCHEDULED;
        }
        store.recordSent(tx, user, next, newest);
        return SendResult.SENT;
    }

    private List<Card> cards(Tx tx, UserId user, Instant after, Instant newest) {
        return notifications.page(tx, user, false, CardPosition.NEWEST, MAX_SENTENCES).stream()
                .filter(card ->
                        card.updatedAt().isAfter(after) && !card.updatedAt().isAfter(newest))
                .toList();
    }

    /** The period that the first digest covers. */
    private static Duration period(DigestFrequency frequency) {
        return frequency == DigestFrequency.WEEKLY ? Duration.ofDays(7) : Duration.ofDays(1);
    }
}
