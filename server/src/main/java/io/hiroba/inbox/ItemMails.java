package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.ItemMailStore.PendingMail;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedules and sends mails about items. A mail is scheduled in the transaction of its item and sent later, when the
 * rate limits allow it; it then lists all items that have arrived meanwhile.
 */
final class ItemMails {

    private static final Logger log = LoggerFactory.getLogger(ItemMails.class);
    private static final Duration SEND_INTERVAL = Duration.ofSeconds(15);

    /** Items of this time are in one mail. */
    private static final Duration DELAY = Duration.ofSeconds(3);

    private static final Duration FAILURE_DELAY = Duration.ofHours(1);

    private static final int MAX_ITEMS_PER_MAIL = 500;

    /** Bounds a run, so that a node which stops does not wait for all mails that are due. */
    private static final int MAX_MAILS_PER_RUN = 500;

    private final Db db;
    private final InstantSource clock;
    private final Users users;
    private final Mailer mailer;
    private final ItemMailWriter writer;
    private final ItemMailStore store = new ItemMailStore();
    private final WakeSignal scheduled = new WakeSignal();

    ItemMails(Db db, InstantSource clock, Users users, Mailer mailer, ItemMailWriter writer) {
        this.db = db;
        this.clock = clock;
        this.users = users;
        this.mailer = mailer;
        this.writer = writer;
    }

    /** Schedules mails about those of the items whose owners want one. */
    void schedule(Tx tx, List<CreatedNotification> items) {
        var wanted = items.stream().filter(item -> item.email() && !item.done()).toList();
        if (!wanted.isEmpty()) {
            store.insert(tx, wanted, clock.instant());
            tx.afterCommit(() -> scheduled.raiseAlsoIn(DELAY));
        }
    }

    WorkLoop start() {
        return WorkLoop.whenSignalled("inbox mails", 1, scheduled, SEND_INTERVAL, () -> {
            sendDue();
            return false;
        });
    }

    /** Sends all mails that are due, as far as the rate limits allow. */
    void sendDue() {
        for (int n = 0; n < MAX_MAILS_PER_RUN && sendNext(); n++) {
            // sendNext does the work.
        }
    }

    /** Returns whether a mail was due. */
    private boolean sendNext() {
        var reader = new AtomicReference<@Nullable UserId>();
        try {
            return db.inTransaction(tx -> {
                var due = store.tryLock(tx) ? store.due(tx, clock.instant()) : Optional.<UserId>empty();
                due.ifPresent(user -> {
                    reader.set(user);
                    send(tx, user);
                });
                return due.isPresent();
            });
        } catch (RuntimeException e) {
            var user = reader.get();
            if (user == null) {
                throw e;
            }
            // A mail that cannot be written must not block the queue.
            log.warn("The mail to {} is postponed by {}", user.hex(), FAILURE_DELAY, e);
            db.useTransaction(tx -> store.postpone(tx, user, clock.instant().plus(FAILURE_DELAY)));
            return true;
        }
    }

    private void send(Tx tx, UserId user) {
        var pending = store.of(tx, user, MAX_ITEMS_PER_MAIL);
        var open = pending.stream().filter(PendingMail::open).toList();
        var profile = users.find(tx, user);
        if (!open.isEmpty() && profile.isPresent() && !users.isSuspended(tx, user)) {
            var wait = mailer.sendIfRoom(tx, writer.write(tx, profile.get(), open, clock.instant()));
            if (wait.isPresent()) {
                store.postpone(tx, user, clock.instant().plus(wait.get()).plusMillis(1));
                return;
            }
        }
        store.delete(tx, user, pending);
    }
}
