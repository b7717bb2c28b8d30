package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.task.RetentionSweep;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Tells owners by mail and in the inbox that an API token expires in a week, and that it has expired, when it is deleted. Each is
 * told in the transaction that claims or deletes the token, so that no node repeats it. Tokens that were made for less than a
 * week, and those of apps, which renew them, are not told of.
 */
final class TokenReminders {

    private static final Duration NOTICE = Duration.ofDays(7);
    private static final int BATCH_SIZE = 100;

    private final Db db;
    private final InstantSource clock;
    private final Users users;
    private final EventLog events;
    private final Mailer mailer;
    private final TokenStore store = new TokenStore();

    TokenReminders(Db db, InstantSource clock, Users users, EventLog events, Mailer mailer) {
        this.db = db;
        this.clock = clock;
        this.users = users;
        this.events = events;
        this.mailer = mailer;
    }

    /** Reminds of tokens that expire soon, and deletes those that have expired. */
    void run() {
        RetentionSweep.run(BATCH_SIZE, limit -> db.inTransaction(tx -> remind(tx, limit)));
        RetentionSweep.run(BATCH_SIZE, limit -> db.inTransaction(tx -> deleteExpired(tx, limit)));
    }

    private int remind(Tx tx, int limit) {
        var expiring = store.claimExpiring(tx, clock.instant(), NOTICE, limit);
        expiring.forEach(token -> tell(tx, token, "token-expiring"));
        return expiring.size();
    }

    private int deleteExpired(Tx tx, int limit) {
        var expired = store.deleteExpired(tx, clock.instant(), limit);
        expired.stream().filter(row -> row.isLasting(NOTICE)).forEach(row -> tell(tx, row.token(), "token-expired"));
        return expired.size();
    }

    private void tell(Tx tx, ApiToken token, String event) {
        var owner = token.user();
        if (users.isSuspended(tx, owner)) {
            return;
        }
        events.append(tx, NewEvent.of(owner.value(), event).with("userId", owner.hex()));
        users.find(tx, owner)
                .ifPresent(profile -> mailer.sendWithoutFail(
                        tx,
                        VerificationMails.token(
                                users.language(tx, owner), profile.user().email(), event, token)));
    }
}
