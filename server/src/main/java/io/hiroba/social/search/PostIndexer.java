package io.hiroba.social.search;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.social.PostId;
import io.hiroba.social.SocialEvents;
import io.hiroba.social.search.PostIndexStore.PostText;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates the index entries of posts after events. The entry of a deleted post is deleted by foreign key. */
final class PostIndexer implements EventHandler {

    static final String CONSUMER = "post-search";

    /** Small enough that analysing the longest posts takes less time than the lease of a node. */
    static final int BATCH_SIZE = 50;

    private static final Logger log = LoggerFactory.getLogger(PostIndexer.class);
    private static final Set<String> CHANGES = Set.of(SocialEvents.POST, SocialEvents.POST_EDITED);

    private final PostIndexStore store = new PostIndexStore();
    private final Function<PostText, IndexEntry> analysis;

    PostIndexer() {
        this(IndexEntry::of);
    }

    PostIndexer(Function<PostText, IndexEntry> analysis) {
        this.analysis = analysis;
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var posts = batch.stream()
                .filter(event -> CHANGES.contains(event.type()))
                .map(event -> PostId.parse(event.payload().path("postId").asString("")))
                .distinct()
                .sorted(Comparator.comparingLong(PostId::value))
                .toList();
        for (int i = 0; i < posts.size(); i += BATCH_SIZE) {
            var postBatch = posts.subList(i, Math.min(posts.size(), i + BATCH_SIZE));
            store.lock(tx, postBatch);
            index(tx, postBatch);
        }
    }

    /** Indexes up to {@value #BATCH_SIZE} outdated posts; returns how many. */
    int reindex(Tx tx) {
        var posts = store.lockStale(tx, BATCH_SIZE);
        if (!posts.isEmpty()) {
            index(tx, posts);
        }
        return posts.size();
    }

    private void index(Tx tx, List<PostId> posts) {
        store.save(tx, store.read(tx, posts).stream().map(this::entry).toList());
    }

    /** A post that cannot be analysed must not block the consumer. */
    private IndexEntry entry(PostText post) {
        try {
            return analysis.apply(post);
        } catch (RuntimeException | StackOverflowError e) {
            log.error(
                    "Post {} cannot be analysed, and will not be found by search",
                    post.post().hex(),
                    e);
            return IndexEntry.empty(post.post());
        }
    }

    @Override
    public boolean isAffectedBy(String type) {
        return CHANGES.contains(type);
    }
}
