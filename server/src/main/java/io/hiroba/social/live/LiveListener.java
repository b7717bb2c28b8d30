package io.hiroba.social.live;

import io.hiroba.accounts.UserId;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/** A reader of a list who is told of each new post once, but not of their own. */
final class LiveListener {

    private final UserId reader;
    private final LiveList list;
    private final long after;
    private final LongConsumer tell;
    private final Set<Long> told = new HashSet<>();
    private boolean begun;

    /** {@code after} is the newest post that the reader sees already. */
    LiveListener(UserId reader, LiveList list, long after, LongConsumer tell) {
        this.reader = reader;
        this.list = list;
        this.after = after;
        this.tell = tell;
    }

    UserId reader() {
        return reader;
    }

    LiveList list() {
        return list;
    }

    synchronized boolean knows(LiveStore.Fresh post) {
        return post.author() == reader.value() || told.contains(post.id());
    }

    /** Tells of what is new among the posts of the last moments, which are all that need to be remembered. */
    synchronized void offer(Iterable<LiveStore.Fresh> recent, long since) {
        told.removeIf(id -> id <= since);
        for (var post : recent) {
            if (!knows(post) && told.add(post.id()) && (begun || post.id() > after)) {
                tell.accept(post.id());
            }
        }
        begun = true;
    }

    /** Tells of what came before the last moments. */
    synchronized void catchUp(Iterable<LiveStore.Fresh> newest) {
        for (var post : newest) {
            if (!knows(post) && post.id() > after && told.add(post.id())) {
                tell.accept(post.id());
            }
        }
    }
}
