package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.social.LivePosts.LivePostList;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/** A listener to a list that is sent each new post once, but not the reader's own. */
final class LivePostListener {

    private final UserId reader;
    private final LivePostList list;
    private final LongConsumer sink;
    private final Set<Long> sent = new HashSet<>();

    LivePostListener(UserId reader, LivePostList list, LongConsumer sink) {
        this.reader = reader;
        this.list = list;
        this.sink = sink;
    }

    UserId reader() {
        return reader;
    }

    LivePostList list() {
        return list;
    }

    /** Marks posts as sent. */
    synchronized void markSent(Iterable<LivePostStore.NewPost> known) {
        known.forEach(post -> sent.add(post.id()));
    }

    synchronized boolean knows(LivePostStore.NewPost post) {
        return post.author() == reader.value() || sent.contains(post.id());
    }

    /** Sends the new posts; ids up to {@code since} are forgotten, since they are not offered again. */
    synchronized void offer(Iterable<LivePostStore.NewPost> recent, long since) {
        sent.removeIf(id -> id <= since);
        for (var post : recent) {
            if (!knows(post) && sent.add(post.id())) {
                sink.accept(post.id());
            }
        }
    }
}
