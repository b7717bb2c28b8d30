package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.search.Citation;
import io.hiroba.knowledge.search.Reply;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.platform.text.ScriptLanguage;
import io.hiroba.platform.web.SafeHtml;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question with its answer, complete or in progress.
 *
 * @param html the model's answer; empty where only chunks are shown
 * @param note why the answer is missing or incomplete
 */
public record AnswerView(
        String question,
        SafeHtml html,
        List<Cited> citations,
        State state,
        @Nullable String note) {

    /** The progress and kind of an answer. */
    enum State {
        IN_PROGRESS,
        GENERATED,
        UNCITED,
        CHUNKS_ONLY
    }

    private static final SafeHtml EMPTY = SafeHtml.ofMarkdown("");

    public AnswerView {
        citations = List.copyOf(citations);
    }

    static AnswerView inProgress(String question, List<Citation> chunks) {
        return new AnswerView(question, EMPTY, Cited.of(chunks), State.IN_PROGRESS, null);
    }

    /** @param chunks the chunks given to the model; shown where it cites none */
    static AnswerView of(String question, List<Citation> chunks, Reply reply) {
        var all = Cited.of(chunks);
        if (reply.mode() == Reply.Mode.PASSAGES) {
            return new AnswerView(question, EMPTY, all, State.CHUNKS_ONLY, reply.why());
        }
        var html = AnswerText.of(reply.text(), all).html();
        return reply.citations().isEmpty()
                ? new AnswerView(question, html, all, State.UNCITED, reply.why())
                : new AnswerView(question, html, Cited.of(reply.citations()), State.GENERATED, reply.why());
    }

    public boolean isComplete() {
        return state != State.IN_PROGRESS;
    }

    public boolean isChunksOnly() {
        return state == State.CHUNKS_ONLY;
    }

    /** The badge beside the question. */
    public Text kind() {
        return switch (state) {
            case IN_PROGRESS -> Text.of("knowledge.answer.kind-in-progress");
            case GENERATED, UNCITED -> Text.of("knowledge.answer.kind-generated");
            case CHUNKS_ONLY -> Text.of("knowledge.answer.kind-chunks-only");
        };
    }

    /** The heading of the chunks. */
    public Text heading() {
        return switch (state) {
            case IN_PROGRESS -> Text.of("knowledge.answer.heading-in-progress");
            case GENERATED -> Text.of("knowledge.answer.sources");
            case UNCITED -> Text.of("knowledge.answer.heading-uncited");
            case CHUNKS_ONLY -> Text.of("knowledge.answer.heading-chunks-only");
        };
    }

    /**
     * A chunk that an answer may cite.
     *
     * @param number the number of its citations
     * @param place where it stands in its source
     * @param lang the language tag of its text, if its script tells it
     * @param path the chunk on its source's page
     * @param context the chunk with its neighbours, as an HTML fragment
     */
    public record Cited(
            int number,
            String title,
            Text place,
            List<Piece> snippet,
            @Nullable String lang,
            String path,
            String context) {

        public Cited {
            snippet = List.copyOf(snippet);
        }

        static List<Cited> of(List<Citation> chunks) {
            return chunks.stream().map(Cited::of).toList();
        }

        private static Cited of(Citation citation) {
            var hit = citation.hit();
            return new Cited(
                    citation.number(),
                    hit.sourceTitle(),
                    ChunkLocation.text(hit.label()),
                    hit.snippet(),
                    ScriptLanguage.tag(hit.content()),
                    KnowledgePaths.chunk(hit.source(), hit.chunk()),
                    KnowledgePaths.chunkContext(hit.source(), hit.chunk()));
        }
    }
}
