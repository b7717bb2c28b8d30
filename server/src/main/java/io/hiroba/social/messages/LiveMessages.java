package io.hiroba.social.messages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.live.Listeners;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.Badge;
import io.hiroba.social.messages.UnreadStore.Unread;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends open pages how many threads of their readers have unread messages, at once after a change on any node that signals it, and
 * otherwise within a second. It holds no message: pages ask for what is new in the thread that they show. A new stream begins with
 * the count, so that a reader who reconnects has missed nothing.
 */
final class LiveMessages implements LiveSource, AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final String TOPIC = "messages";
    private static final Unread NOTHING = new Unread(0, 0);

    private final Db db;
    private final CommitSignal commits;
    private final UnreadStore store = new UnreadStore();
    private final Listeners<UserId, Listener> listeners = new Listeners<>("messages", this::send);
    private @Nullable WorkLoop poll;

    LiveMessages(Db db, CommitSignal commits) {
        this.db = db;
        this.commits = commits;
        commits.listen(TOPIC, keys -> listeners.signalled(keys, UserId::parse));
    }

    /** Polls for changes on other nodes until it is closed. */
    LiveMessages start() {
        poll = WorkLoop.every(POLL_INTERVAL, "live messages", listeners::publishAll);
        return this;
    }

    @Override
    public String name() {
        return "messages";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        return Optional.of(Caller.of(ctx))
                .filter(caller -> caller.allows(TokenScope.MESSAGES_READ) && !caller.acting())
                .map(caller -> new CountSubscription(this, caller.user()));
    }

    private record CountSubscription(LiveMessages live, UserId reader) implements Subscription {

        @Override
        public String position() {
            return "0";
        }

        @Override
        public Runnable begin(Channel channel) {
            return live.listeners.add(reader, new Listener(channel));
        }
    }

    /** Sends the counts to the open pages of these readers, whose threads have changed. Never waits. */
    void changed(Collection<UserId> readers) {
        commits.raise(TOPIC, readers.stream().map(UserId::hex).toList());
    }

    private void send(Set<UserId> readers, Set<UserId> changed) {
        var unread = db.read(reads -> store.unread(reads, readers, Badge.MAX_SHOWN + 1));
        for (var reader : readers) {
            var state = unread.getOrDefault(reader, NOTHING);
            listeners.of(reader).forEach(listener -> listener.send(state, changed.contains(reader)));
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
    private static final class Listener {

        private final Channel channel;
        private @Nullable Unread sent;

        Listener(Channel channel) {
            this.channel = channel;
        }

        /** @param always also if nothing of it has changed: somebody may have read a message */
        synchronized void send(Unread state, boolean always) {
            if (always || !state.equals(sent)) {
                sent = state;
                channel.send(
                        "0",
                        "messages",
                        Json.text(Map.of("unread", state.threads(), "latest", Ids.hex(state.latest()))));
            }
        }
    }
}
