package io.hiroba.knowledge.posts;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.SourceWriter;
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
 * Lets posts become knowledge, change and be forgotten as the event log tells. Those of an account that is deleted go with
 * the account.
 */
public final class PostKnowledge implements EventHandler {

    public static final String CONSUMER = "post-knowledge";

    /** So few that reading them, however long they are, takes less time than a silent node is given. */
    static final int AT_ONCE = 50;

    /** As the social feature names them. */
    private static final Set<String> CHANGES = Set.of("post", "post-edited", "post-deleted");

    private final PostSources sources;
    private final PostSourceStore store = new PostSourceStore();

    /**
     * A consumer of the event log.
     *
     * @param chunkTokens the tokens a chunk may have
     */
    public PostKnowledge(SourceWriter writer, int chunkTokens) {
        this.sources = new PostSources(writer, chunkTokens);
    }

    PostSources sources() {
        return sources;
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
        var concerned = store.concerned(tx, authors);
        var all = posts.values().stream()
                .filter(post -> concerned.contains(post.owner()))
                .sorted(Comparator.comparingLong(PostRef::post))
                .toList();
        if (!all.isEmpty()) {
            // All at once and in one order, or two batches could wait for one another.
            store.lock(tx, all);
        }
        for (int i = 0; i < all.size(); i += AT_ONCE) {
            sources.settle(tx, all.subList(i, Math.min(all.size(), i + AT_ONCE)));
        }
    }
}
