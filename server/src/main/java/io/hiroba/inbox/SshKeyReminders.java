package io.hiroba.inbox;

import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;

/** Notifies owners before an SSH key expires and when it has expired. */
final class SshKeyReminders {

    private static final int BATCH_SIZE = 100;
    private static final Duration INTERVAL = Duration.ofSeconds(20);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Db db;
    private final InstantSource clock;
    private final Duration notice;
    private final ResourceMirror resources;
    private final ExternalPeople people;
    private final Notifier notifier;
    private final AutoResolver resolver;
    private final SshKeyStore store = new SshKeyStore();
    private final WakeSignal due = new WakeSignal();

    /** @param notice how long before it expires the owner of a key is notified */
    SshKeyReminders(Db db, InstantSource clock, Duration notice, Fanout fanout) {
        this.db = db;
        this.clock = clock;
        this.notice = notice;
        resources = fanout.resources();
        people = fanout.people();
        notifier = fanout.notifier();
        resolver = fanout.resolver();
    }

    AutoCloseable start() {
        return WorkLoop.whenSignalled("inbox keys", 1, due, INTERVAL, this::runWhenDue);
    }

    /** Runs if a key is due, and otherwise is woken when the next one is. */
    private boolean runWhenDue() {
        var now = clock.instant();
        var next = db.read(reads -> store.nextReminder(reads, notice));
        boolean isDue = next.map(time -> !time.isAfter(now)).orElse(false);
        if (isDue) {
            run();
            // Another node may hold some of them.
            due.raiseAlsoIn(RETRY_DELAY);
        }
        next.map(time -> Duration.between(now, time))
                .filter(wait -> wait.isPositive() && wait.compareTo(INTERVAL) < 0)
                .ifPresent(due::raiseIn);
        return false;
    }

    /** A key is claimed in the transaction of its notification, so that no node repeats it. */
    void run() {
        while (db.inTransaction(this::notifyExpiring) == BATCH_SIZE) {}
        while (db.inTransaction(this::notifyExpired) == BATCH_SIZE) {}
    }

    private int notifyExpiring(Tx tx) {
        var now = clock.instant();
        var expiring = store.claimExpiring(tx, now.plus(notice), now, BATCH_SIZE);
        for (var key : inOrder(expiring)) {
            // A key that has expired meanwhile gets only that notification.
            if (key.expiresAt() != null && key.expiresAt().isAfter(now)) {
                notify(tx, key, Action.SSH_KEY_EXPIRING_SOON, now);
            }
        }
        return expiring.size();
    }

    private int notifyExpired(Tx tx) {
        var now = clock.instant();
        var expired = store.claimExpired(tx, now, BATCH_SIZE);
        for (var key : inOrder(expired)) {
            var resource = notify(tx, key, Action.SSH_KEY_EXPIRED, now);
            var owner = List.of(people.local(tx, key.owner()));
            resolver.withdraw(tx, resource, Action.SSH_KEY_EXPIRING_SOON, owner, now);
        }
        return expired.size();
    }

    private Resource notify(Tx tx, SshKey key, Action action, Instant at) {
        var resource = resources.find(tx, key.id()).orElseThrow();
        notifier.notifyUsers(
                tx, NotificationRequest.of(resource, action, NotificationAuthor.NOBODY, at), List.of(key.owner()));
        return resource;
    }

    private static List<SshKey> inOrder(List<SshKey> keys) {
        return keys.stream()
                .sorted(Comparator.comparingLong((SshKey key) -> key.owner().value())
                        .thenComparingLong(key -> key.id().value()))
                .toList();
    }
}
