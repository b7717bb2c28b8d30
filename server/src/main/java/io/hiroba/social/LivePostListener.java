package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.LivePosts.LivePostList;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A listener to a list that is sent each new post once, but not the reader's own. */
final class LivePostListener {

    /** Twice the window that is looked back over, in ids, since the clocks of nodes differ. */
    private static final long REMEMBERED =
            Ids.lowestAt(Instant.EPOCH.plus(LivePosts.WINDOW.multipliedBy(2))) - Ids.lowestAt(Instant.EPOCH);

    private final UserId reader;
    private final LivePostList list;
    private final Sink sink;
    private final Set<Long> sent;
    private long latest;

    LivePostListener(UserId reader, LivePostList list, LivePostPosition start, Sink sink) {
        this.reader = reader;
        this.list = list;
        this.sink = sink;
        this.sent = new HashSet<>(start.sent());
        this.latest = start.latest().value();
    }

    /** Receives the posts. */
    @FunctionalInterface
    interface Sink {
        void send(PostId post, LivePostPosition position);
    }

    UserId reader() {
        return reader;
    }

    LivePostList list() {
        return list;
    }

    synchronized boolean knows(LivePostStore.NewPost post) {
        return post.author() == reader.value() || sent.contains(post.id());
    }

    /** Sends the new posts; ids up to {@code since} are forgotten, since they are not offered again. */
    synchronized void offer(Iterable<LivePostStore.NewPost> recent, long since) {
        sent.removeIf(id -> id <= since);
        for (var post : recent) {
            if (!knows(post) && sent.add(post.id())) {
                latest = Math.max(latest, post.id());
                sink.send(new PostId(post.id()), LivePostPosition.after(latest, recentlySent()));
            }
        }
    }

    /** Without those so long before the latest that nobody who comes back is offered them. */
    private List<Long> recentlySent() {
        long earliest = latest - REMEMBERED;
        return sent.stream().filter(id -> id > earliest).toList();
    }
}
