package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.ask.Citation;
import io.hiroba.knowledge.ask.Reply;
import io.hiroba.platform.web.SafeHtml;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question and its answer, or as much of it as there is.
 *
 * @param html what a model said; empty where passages stand for themselves
 * @param note why there is no more than this
 */
public record AnswerView(
        String question,
        SafeHtml html,
        List<CitedItem> citations,
        State state,
        @Nullable String note) {

    /** How far an answer is, and who speaks. */
    enum State {
        COMING,
        BY_MODEL,
        WITHOUT_CITATION,
        PASSAGES_ONLY
    }

    private static final SafeHtml NOTHING = SafeHtml.ofMarkdown("");

    public AnswerView {
        citations = List.copyOf(citations);
    }

    static AnswerView coming(String question, List<Citation> passages) {
        return new AnswerView(question, NOTHING, CitedItem.of(passages), State.COMING, null);
    }

    /** @param passages what the model was given; shown where it cites none of it */
    static AnswerView of(String question, List<Citation> passages, Reply reply) {
        var all = CitedItem.of(passages);
        if (reply.mode() == Reply.Mode.PASSAGES) {
            return new AnswerView(question, NOTHING, all, State.PASSAGES_ONLY, reply.why());
        }
        var html = AnswerText.of(reply.text(), all).html();
        return reply.citations().isEmpty()
                ? new AnswerView(question, html, all, State.WITHOUT_CITATION, reply.why())
                : new AnswerView(question, html, CitedItem.of(reply.citations()), State.BY_MODEL, reply.why());
    }

    public boolean isOver() {
        return state != State.COMING;
    }

    public boolean isPassagesOnly() {
        return state == State.PASSAGES_ONLY;
    }

    /** What stands beside the question. */
    public String kind() {
        return switch (state) {
            case COMING -> "Answering";
            case BY_MODEL, WITHOUT_CITATION -> "Answer by a model";
            case PASSAGES_ONLY -> "Passages only";
        };
    }

    /** What stands above the passages. */
    public String heading() {
        return switch (state) {
            case COMING -> "Passages it looks at";
            case BY_MODEL -> "Passages it rests on";
            case WITHOUT_CITATION -> "Passages it was given, and does not cite";
            case PASSAGES_ONLY -> "The passages that fit best";
        };
    }
}
