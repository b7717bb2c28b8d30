package io.hiroba.knowledge.posts;

import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.StorableText;
import io.hiroba.knowledge.chunking.Chunker;
import io.hiroba.knowledge.reading.Kind;
import io.hiroba.knowledge.reading.Readers;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.markdown.Markdown;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the sources of posts to what the posts and the rules are now. */
final class PostSources {

    private static final Logger LOG = LoggerFactory.getLogger(PostSources.class);
    private static final int LONGEST_TITLE = 80;

    private final SourceWriter writer;
    private final Chunker chunker;
    private final Readers readers = new Readers();
    private final PostSourceStore store = new PostSourceStore();

    PostSources(SourceWriter writer, int chunkTokens) {
        this.writer = writer;
        this.chunker = new Chunker(chunkTokens);
    }

    /** Writes the sources of those of {@code posts} that a rule covers, and deletes those of all others. */
    void settle(Tx tx, Collection<PostRef> posts) {
        store.lock(tx, posts);
        var covered = store.covered(tx, posts).stream().collect(Collectors.toMap(PostText::post, Function.identity()));
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
            // Somebody deleted it between the two statements.
        }
    }

    private NewSource source(PostRef post, PostText text) {
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

    /** One post that cannot be read must not keep all later ones from being known. */
    private List<NewChunk> chunks(PostRef post, PostText text) {
        try {
            return chunker.chunks(title(text), uri(post), readers.read(Kind.MARKDOWN, text.content()));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("Post {} cannot be read, and will not be known", post.hex(), e);
            return List.of();
        }
    }

    private static String title(PostText text) {
        var said = StorableText.of(Markdown.text(text.content())).strip().replaceAll("\\s+", " ");
        if (said.codePointCount(0, said.length()) <= LONGEST_TITLE) {
            return said.isEmpty() ? "Post" : said;
        }
        return said.substring(0, said.offsetByCodePoints(0, LONGEST_TITLE - 1)).strip() + "…";
    }
}
