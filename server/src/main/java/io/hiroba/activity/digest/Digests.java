package io.hiroba.activity.digest;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.activity.Card;
import io.hiroba.activity.CardPosition;
import io.hiroba.activity.Notifications;
import io.hiroba.activity.digest.DigestStore.Due;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
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
 * Sends the digests that are due. Collecting the cards, queueing the mail and noting what it tells of are one
 * transaction under the lock of one row: whatever is killed and however many nodes there are, a digest goes out once.
 */
public final class Digests {

    private static final Logger log = LoggerFactory.getLogger(Digests.class);

    /** The newest cards, which are told in words. */
    private static final int SHOWN = 20;

    private static final int COUNTED = 1000;

    /** How many may be refused for want of room, as by one domain's limit, before the rest waits for the next round. */
    private static final int REFUSALS = 500;

    /** How many are looked at in one round, so that a node which stops does not wait for all that are due. */
    private static final int A_ROUND = 2_000;

    private static final Duration A_LITTLE_LATER = Duration.ofMinutes(1);
    private static final Duration AFTER_A_FAILURE = Duration.ofHours(1);

    private final Db db;
    private final InstantSource clock;
    private final ZoneId serverZone;
    private final Users users;
    private final Notifications notifications;
    private final Mailer mailer;
    private final DigestLetters letters;
    private final DigestStore store = new DigestStore();

    /** {@code serverZone} is for those who have not said where they live. */
    public Digests(
            Db db,
            InstantSource clock,
            ZoneId serverZone,
            Users users,
            Notifications notifications,
            Mailer mailer,
            DigestLetters letters) {
        this.db = db;
        this.clock = clock;
        this.serverZone = serverZone;
        this.users = users;
        this.notifications = notifications;
        this.mailer = mailer;
        this.letters = letters;
    }

    /** What became of a digest that was due. */
    enum Outcome {
        /** None was due. */
        NONE,
        SENT,
        /** There was nothing to tell. */
        EMPTY,
        PUT_OFF
    }

    /** Sends all that are due, as far as the limits on mail have room. */
    public void sendDue() {
        int refused = 0;
        for (int n = 0; n < A_ROUND && refused < REFUSALS; n++) {
            var outcome = sendNext();
            if (outcome == Outcome.NONE) {
                return;
            }
            refused += outcome == Outcome.PUT_OFF ? 1 : 0;
        }
    }

    /** Whose digests a link ends; nobody's if it is not one of ours. */
    Optional<UserId> subscriber(String token) {
        return letters.subscriber(token);
    }

    void unsubscribe(UserId user) {
        db.useTransaction(tx -> store.end(tx, user));
    }

    private Outcome sendNext() {
        var claimed = new AtomicReference<@Nullable UserId>();
        try {
            return db.inTransaction(tx -> store.claim(tx, clock.instant())
                    .map(due -> {
                        claimed.set(due.user());
                        return send(tx, due);
                    })
                    .orElse(Outcome.NONE));
        } catch (RuntimeException e) {
            var user = claimed.get();
            if (user == null) {
                throw e;
            }
            // One that cannot be made must not keep all others waiting behind it.
            log.warn("The digest of {} is put off by {}", user.hex(), AFTER_A_FAILURE, e);
            var now = clock.instant();
            db.useTransaction(tx -> store.tryAgain(tx, user, now, now.plus(AFTER_A_FAILURE)));
            return Outcome.PUT_OFF;
        }
    }

    private Outcome send(Tx tx, Due due) {
        var now = clock.instant();
        var user = due.user();
        var profile = users.find(tx, user).orElseThrow();
        var zone = profile.timeZone() == null ? serverZone : profile.timeZone();
        // From now on: a node that was off for days has missed some, and sends one.
        var next = DigestTime.next(due.digest(), zone, now);
        var after = due.until() == null ? now.minus(period(due.digest())) : due.until();
        var untold = store.untold(tx, user, after, COUNTED + 1);
        var newest = untold.newest();
        if (newest == null) {
            store.putOff(tx, user, now, after, next);
            return Outcome.EMPTY;
        }
        int count = Math.min(untold.count(), COUNTED);
        var mail = letters.write(
                profile.user(), due.digest(), cards(tx, user, after, newest), count, untold.count() > COUNTED);
        var wait = mailer.sendIfRoom(tx, mail);
        if (wait.isPresent()) {
            var least = wait.get().compareTo(A_LITTLE_LATER) > 0 ? wait.get() : A_LITTLE_LATER;
            store.putOff(tx, user, now, after, now.plus(least));
            return Outcome.PUT_OFF;
        }
        store.sent(tx, user, next, newest);
        return Outcome.SENT;
    }

    private List<Card> cards(Tx tx, UserId user, Instant after, Instant newest) {
        return notifications.page(tx, user, false, CardPosition.NEWEST, SHOWN).stream()
                .filter(card ->
                        card.updatedAt().isAfter(after) && !card.updatedAt().isAfter(newest))
                .toList();
    }

    /** How far the first digest looks back. */
    private static Duration period(Digest digest) {
        return digest == Digest.WEEKLY ? Duration.ofDays(7) : Duration.ofDays(1);
    }
}
