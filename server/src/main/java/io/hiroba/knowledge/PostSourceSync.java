package io.hiroba.knowledge;

import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.PostSourceStore.PostContent;
import io.hiroba.knowledge.PostSourceStore.PostRef;
import io.hiroba.knowledge.documents.Chunker;
import io.hiroba.knowledge.documents.DocumentReader;
import io.hiroba.knowledge.documents.DocumentType;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.markdown.Markdown;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Synchronizes the sources of posts with the posts and the rules. */
final class PostSourceSync {

    private static final Logger LOG = LoggerFactory.getLogger(PostSourceSync.class);
    /** The posts per batch: reading them, however long, must take less than the lease of a dead node. */
    static final int BATCH_SIZE = 50;

    private static final int MAX_TITLE_LENGTH = 80;

    private final SourceWriter writer;
    private final Chunker chunker;
    private final DocumentReader readers = new DocumentReader();
    private final PostSourceStore store = new PostSourceStore();

    PostSourceSync(SourceWriter writer, int chunkTokens) {
        this.writer = writer;
        this.chunker = new Chunker(chunkTokens);
    }

    /** Writes the sources of those of {@code posts} that a rule covers, and deletes those of all others. */
    void sync(Tx tx, Collection<PostRef> posts) {
        store.lock(tx, posts);
        var covered =
                store.covered(tx, posts).stream().collect(Collectors.toMap(PostContent::post, Function.identity()));
        for (var post : posts) {
            var text = covered.get(post.post());
            var chunks = text == null ? List.<NewChunk>of() : chunks(post, text);
            if (text == null || chunks.isEmpty()) {
                writer.delete(tx, post.owner(), post.origin());
            } else {
                write(tx, source(post, text), chunks);
            }
        }
    }

    private void write(Tx tx, NewSource source, List<NewChunk> chunks) {
        while (writer.create(tx, source, chunks).isEmpty()) {
            var known = writer.find(tx, source);
            if (known.isPresent() && store.lockSource(tx, known.get().value())) {
                writer.replace(tx, known.get(), source, chunks);
                return;
            }
            // It was deleted between the two statements.
        }
    }

    private NewSource source(PostRef post, PostContent text) {
        return new NewSource(
                text.owner(),
                true,
                SourceType.POST,
                title(text),
                uri(post),
                post.origin(),
                null,
                Place.NONE,
                Map.of("post_id", post.hex(), "tags", text.tags()));
    }

    private static String uri(PostRef post) {
        return "/posts/" + post.hex();
    }

    /** A post that cannot be read must not block later ones. */
    private List<NewChunk> chunks(PostRef post, PostContent text) {
        try {
            return chunker.chunks(title(text), uri(post), readers.read(DocumentType.MARKDOWN, text.content()));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("Post {} cannot be parsed and is skipped", post.hex(), e);
            return List.of();
        }
    }

    private static String title(PostContent text) {
        var plainText = StorableText.of(Markdown.text(text.content())).strip().replaceAll("\\s+", " ");
        if (plainText.codePointCount(0, plainText.length()) <= MAX_TITLE_LENGTH) {
            return plainText.isEmpty() ? "Post" : plainText;
        }
        return plainText
                        .substring(0, plainText.offsetByCodePoints(0, MAX_TITLE_LENGTH - 1))
                        .strip() + "…";
    }
}
