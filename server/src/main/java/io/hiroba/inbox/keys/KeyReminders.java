package io.hiroba.inbox.keys;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resolver;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;

/** Tells people that a key of theirs is about to expire, and when it has. */
public final class KeyReminders {

    private static final int AT_ONCE = 100;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Db db;
    private final InstantSource clock;
    private final Duration notice;
    private final Resources resources;
    private final People people;
    private final Notifier notifier;
    private final Resolver resolver;
    private final KeyStore store = new KeyStore();

    /** @param notice how long before its end the owner of a key is told */
    public KeyReminders(
            Db db,
            InstantSource clock,
            Duration notice,
            Resources resources,
            People people,
            Notifier notifier,
            Resolver resolver) {
        this.db = db;
        this.clock = clock;
        this.notice = notice;
        this.resources = resources;
        this.people = people;
        this.notifier = notifier;
        this.resolver = resolver;
    }

    public AutoCloseable background() {
        return WorkLoop.every(PAUSE, "inbox keys", this::run);
    }

    /** Tells all that is due. That it was told is written with what is told, so that no node tells it again. */
    public void run() {
        while (db.inTransaction(this::warn) == AT_ONCE) {}
        while (db.inTransaction(this::tell) == AT_ONCE) {}
    }

    private int warn(Tx tx) {
        var now = clock.instant();
        var due = store.takeToWarn(tx, now.plus(notice), now, AT_ONCE);
        for (var key : inOrder(due)) {
            // Of one that has ended meanwhile only that is told.
            if (key.expiresAt() != null && key.expiresAt().isAfter(now)) {
                tell(tx, key, Action.SSH_KEY_EXPIRING_SOON, now);
            }
        }
        return due.size();
    }

    private int tell(Tx tx) {
        var now = clock.instant();
        var due = store.takeExpired(tx, now, AT_ONCE);
        for (var key : inOrder(due)) {
            var resource = tell(tx, key, Action.SSH_KEY_EXPIRED, now);
            var owner = List.of(people.here(tx, key.owner()));
            resolver.withdraw(tx, resource, Action.SSH_KEY_EXPIRING_SOON, owner, now);
        }
        return due.size();
    }

    private Resource tell(Tx tx, SshKey key, Action action, Instant at) {
        var resource = resources.find(tx, key.id()).orElseThrow();
        notifier.tellUsers(tx, News.of(resource, action, Author.NOBODY, at), List.of(key.owner()));
        return resource;
    }

    private static List<SshKey> inOrder(List<SshKey> keys) {
        return keys.stream()
                .sorted(Comparator.comparingLong((SshKey key) -> key.owner().value())
                        .thenComparingLong(key -> key.id().value()))
                .toList();
    }
}
