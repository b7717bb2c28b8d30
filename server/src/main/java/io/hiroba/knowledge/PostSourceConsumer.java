package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.PostSourceStore.PostRef;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.id.Ids;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Creates, updates and deletes the sources of posts as the event log reports changes of the posts. The sources of a deleted
 * account are deleted with the account.
 */
final class PostSourceConsumer implements EventHandler {

    static final String NAME = "post-knowledge";

    /** The event types of the social feature. */
    private static final Set<String> CHANGES = Set.of("post", "post-edited", "post-deleted");

    private final PostSourceSync sync;
    private final PostSourceStore store = new PostSourceStore();

    PostSourceConsumer(PostSourceSync sync) {
        this.sync = sync;
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var posts = new LinkedHashMap<Long, PostRef>();
        for (var event : batch) {
            if (CHANGES.contains(event.type())) {
                long post = Ids.parse(event.payload().path("postId").asString(""));
                posts.put(
                        post,
                        new PostRef(
                                post,
                                UserId.parse(event.payload().path("userId").asString(""))));
            }
        }
        if (posts.isEmpty()) {
            return;
        }
        var authors = posts.values().stream().map(PostRef::owner).collect(Collectors.toSet());
        var affected = store.affected(tx, authors);
        var all = posts.values().stream()
                .filter(post -> affected.contains(post.owner()))
                .sorted(Comparator.comparingLong(PostRef::post))
                .toList();
        if (!all.isEmpty()) {
            // All at once and in one order, to prevent deadlocks.
            store.lock(tx, all);
        }
        for (int i = 0; i < all.size(); i += PostSourceSync.BATCH_SIZE) {
            sync.sync(tx, all.subList(i, Math.min(all.size(), i + PostSourceSync.BATCH_SIZE)));
        }
    }

    @Override
    public boolean isAffectedBy(String type) {
        return CHANGES.contains(type);
    }
}
