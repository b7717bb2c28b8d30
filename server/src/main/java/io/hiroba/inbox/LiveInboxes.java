package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.live.Listeners;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.task.WorkLoop;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends the counts of inboxes to the open pages of their owners on this node, at once after a change on any node that signals it,
 * and otherwise within a second, by one statement for all readers together and none while no page is open. A new
 * stream begins with all counts, so that a reader who reconnects has missed nothing, whatever their last position.
 */
final class LiveInboxes implements LiveSource, AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final String TOPIC = "inbox";

    private final Db db;
    private final CommitSignal commits;
    private final ItemCountStore store = new ItemCountStore();
    private final Listeners<UserId, Listener> listeners = new Listeners<>("inboxes", this::send);
    private @Nullable WorkLoop poll;

    LiveInboxes(Db db, CommitSignal commits) {
        this.db = db;
        this.commits = commits;
        commits.listen(TOPIC, keys -> listeners.signalled(keys, UserId::parse));
    }

    /** Polls for changes on other nodes until it is closed. */
    LiveInboxes start() {
        poll = WorkLoop.every(POLL_INTERVAL, "live inbox", this::poll);
        return this;
    }

    @Override
    public String name() {
        return "inbox";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        return Optional.of(Caller.of(ctx))
                .filter(caller -> caller.allows(TokenScope.INBOX_READ))
                .map(caller -> new CountSubscription(this, caller.user()));
    }

    private record CountSubscription(LiveInboxes live, UserId reader) implements Subscription {

        @Override
        public String position() {
            return "0";
        }

        @Override
        public Runnable begin(Channel channel) {
            return live.listen(new Listener(reader, channel));
        }
    }

    /** Sends the counts to the open pages of these readers, whose items have changed. Never waits. */
    void changed(Collection<UserId> readers) {
        commits.raise(TOPIC, readers.stream().map(UserId::hex).toList());
    }

    /** Sends the counts to {@code listener} now and whenever they change, until the returned task is run. */
    Runnable listen(Listener listener) {
        return listeners.add(listener.reader, listener);
    }

    void poll() {
        listeners.publishAll();
    }

    private void send(Set<UserId> readers, Set<UserId> changed) {
        var snapshots = db.read(reads -> store.snapshots(reads, readers));
        for (var reader : readers) {
            var snapshot = snapshots.getOrDefault(reader, ItemCountStore.Snapshot.EMPTY);
            for (var listener : listeners.of(reader)) {
                listener.send(snapshot, changed.contains(reader));
            }
        }
    }

    @Override
    public void close() {
        if (poll != null) {
            poll.close();
        }
        listeners.close();
    }

    /** An open page of a reader. */
    static final class Listener {

        private final UserId reader;
        private final Channel channel;
        private long sentVersion = -1;

        Listener(UserId reader, Channel channel) {
            this.reader = reader;
            this.channel = channel;
        }

        /** @param always also if the version was sent before: something has changed that shows in no count */
        synchronized void send(ItemCountStore.Snapshot snapshot, boolean always) {
            if (always || snapshot.version() > sentVersion) {
                sentVersion = snapshot.version();
                channel.send(Long.toString(sentVersion), "inbox", Json.text(snapshot.counts()));
            }
        }
    }
}
