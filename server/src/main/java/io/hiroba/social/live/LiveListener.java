package io.hiroba.social.live;

import io.hiroba.accounts.UserId;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/** A reader of a list who is told of each new post once, but not of their own. */
final class LiveListener {

    private final UserId reader;
    private final LiveList list;
    private final LongConsumer tell;
    private final Set<Long> told = new HashSet<>();

    LiveListener(UserId reader, LiveList list, LongConsumer tell) {
        this.reader = reader;
        this.list = list;
        this.tell = tell;
    }

    UserId reader() {
        return reader;
    }

    LiveList list() {
        return list;
    }

    /** Takes what there is already for told. */
    synchronized void remember(Iterable<LiveStore.Fresh> known) {
        known.forEach(post -> told.add(post.id()));
    }

    synchronized boolean knows(LiveStore.Fresh post) {
        return post.author() == reader.value() || told.contains(post.id());
    }

    /** Tells of what is new among the posts after {@code since}, which are all that need to be remembered. */
    synchronized void offer(Iterable<LiveStore.Fresh> recent, long since) {
        told.removeIf(id -> id <= since);
        for (var post : recent) {
            if (!knows(post) && told.add(post.id())) {
                tell.accept(post.id());
            }
        }
    }
}
