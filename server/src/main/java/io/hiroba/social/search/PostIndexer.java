package io.hiroba.social.search;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.social.PostId;
import io.hiroba.social.SocialEvents;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Brings the index to the present state of the posts that events speak of. A deleted post takes its entry with it, by
 * foreign key.
 */
public final class PostIndexer implements EventHandler {

    public static final String CONSUMER = "post-search";

    /** So few that analysing them, however long they are, takes less time than a silent node is given. */
    static final int CHUNK = 50;

    private static final Set<String> CHANGES = Set.of(SocialEvents.POST, SocialEvents.POST_EDITED);

    private final IndexStore store = new IndexStore();

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var posts = batch.stream()
                .filter(event -> CHANGES.contains(event.type()))
                .map(event -> PostId.parse(event.payload().path("postId").asString("")))
                .distinct()
                .sorted(Comparator.comparingLong(PostId::value))
                .toList();
        for (int i = 0; i < posts.size(); i += CHUNK) {
            index(tx, posts.subList(i, Math.min(posts.size(), i + CHUNK)));
        }
    }

    private void index(Tx tx, List<PostId> posts) {
        store.lock(tx, posts);
        store.save(tx, store.read(tx, posts));
    }

    /** Indexes up to {@value #CHUNK} posts anew that an older analysis has left; answers how many. */
    int renew(Tx tx) {
        var posts = store.lockStale(tx, CHUNK);
        if (!posts.isEmpty()) {
            store.save(tx, store.read(tx, posts));
        }
        return posts.size();
    }
}
