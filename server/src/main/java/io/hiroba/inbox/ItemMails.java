package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.ItemMailStore.Waiting;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.mail.Mailer;
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
 * Schedules and sends mails about items. That one is wanted is noted in the transaction of the item; it is written
 * afterwards, when the limits on mail have room, and then tells of everything that has come meanwhile.
 */
final class ItemMails {

    private static final Logger log = LoggerFactory.getLogger(ItemMails.class);
    private static final Duration SEND_INTERVAL = Duration.ofSeconds(5);
    private static final Duration FAILURE_DELAY = Duration.ofHours(1);

    /** Told of in one mail. */
    private static final int MAX_ITEMS_PER_MAIL = 500;

    /** Bounds a run, so that a node which stops does not wait for all mails that are due. */
    private static final int MAX_MAILS_PER_RUN = 500;

    private final Db db;
    private final InstantSource clock;
    private final Users users;
    private final Mailer mailer;
    private final ItemMailWriter writer;
    private final ItemMailStore store = new ItemMailStore();

    ItemMails(Db db, InstantSource clock, Users users, Mailer mailer, ItemMailWriter writer) {
        this.db = db;
        this.clock = clock;
        this.users = users;
        this.mailer = mailer;
        this.writer = writer;
    }

    /** Notes which of these items their owners want a mail about. */
    void schedule(Tx tx, List<CreatedNotification> items) {
        var wanted = items.stream().filter(item -> item.email() && !item.done()).toList();
        if (!wanted.isEmpty()) {
            store.insert(tx, wanted, clock.instant());
        }
    }

    /** Sends what is due, again and again. */
    WorkLoop start() {
        return WorkLoop.every(SEND_INTERVAL, "inbox mails", this::sendDue);
    }

    /** Sends all that are due, as far as the limits on mail have room. */
    void sendDue() {
        for (int n = 0; n < MAX_MAILS_PER_RUN && sendNext(); n++) {
            // The next one.
        }
    }

    /** Whether there was one due. */
    private boolean sendNext() {
        var reader = new AtomicReference<@Nullable UserId>();
        try {
            return db.inTransaction(tx -> {
                var due = store.begin(tx) ? store.due(tx, clock.instant()) : Optional.<UserId>empty();
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
            // One that cannot be written must not keep all others waiting behind it.
            log.warn("The mail to {} is postponed by {}", user.hex(), FAILURE_DELAY, e);
            db.useTransaction(tx -> store.postpone(tx, user, clock.instant().plus(FAILURE_DELAY)));
            return true;
        }
    }

    private void send(Tx tx, UserId user) {
        var waiting = store.of(tx, user, MAX_ITEMS_PER_MAIL);
        var open = waiting.stream().filter(Waiting::open).toList();
        var profile = users.find(tx, user);
        if (!open.isEmpty() && profile.isPresent()) {
            var wait = mailer.sendIfRoom(tx, writer.write(profile.get().user(), open));
            if (wait.isPresent()) {
                store.postpone(tx, user, clock.instant().plus(wait.get()).plusMillis(1));
                return;
            }
        }
        store.delete(tx, user, waiting);
    }
}
