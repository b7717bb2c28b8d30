package io.hiroba.knowledge.search;

import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A question whose chunks were found and that is to be answered once. */
final class PendingAnswer {

    /** The maximum length of an answer. */
    static final int MAX_LENGTH = 20_000;

    private final List<Citation> chunks;
    private final Fallback fallback;
    private final Optional<ChatCompletion> call;
    private final Consumer<Reply> store;
    private volatile boolean cancelled;

    /**
     * The answer where the model says nothing.
     *
     * @param query what the passages were found by, and sentences are extracted by
     * @param why the reason if no model is called; null if none is needed
     * @param otherwise what is said where no passage has a sentence
     * @param language of what is said
     */
    record Fallback(FollowUpQuery query, @Nullable Text why, Text otherwise, Language language) {

        static Fallback of(FollowUpQuery query, Text why, Language language) {
            return new Fallback(query, why, Text.of("knowledge.answer.nothing-answers"), language);
        }
    }

    /** @param store stores the answer, unless it is cancelled */
    PendingAnswer(List<Citation> chunks, Fallback fallback, Optional<ChatCompletion> call, Consumer<Reply> store) {
        this.chunks = chunks;
        this.fallback = fallback;
        this.call = call;
        this.store = store;
    }

    List<Citation> chunks() {
        return chunks;
    }

    /**
     * Produces the answer, and returns when it is complete.
     *
     * @param parts receives the parts of a model's answer as they arrive
     */
    Reply answer(Consumer<String> parts) {
        var reply = call.isPresent() ? fromModel(call.get(), parts) : fromChunks(fallback.why());
        if (!cancelled) {
            store.accept(reply);
        }
        return reply;
    }

    /** Cancels the answer: the call to the model is closed and nothing is stored. */
    void cancel() {
        cancelled = true;
        call.ifPresent(ChatCompletion::cancel);
    }

    private Reply fromModel(ChatCompletion model, Consumer<String> parts) {
        var text = new StringBuilder();
        Text problem = null;
        try {
            model.run(piece -> {
                text.append(piece);
                parts.accept(piece);
                if (text.length() > MAX_LENGTH) {
                    model.cancel();
                }
            });
        } catch (ChatException e) {
            problem = e.text();
        }
        if (text.length() > MAX_LENGTH) {
            return reply(truncated(text), Text.of("knowledge.answer.cut"));
        }
        if (text.toString().isBlank() && cancelled) {
            return new Reply(Reply.Mode.MODEL, "", List.of(), null);
        }
        if (text.toString().isBlank()) {
            return fromChunks(problem == null ? Text.of("knowledge.answer.no-answer") : problem);
        }
        return reply(text.toString(), problem);
    }

    /** Truncates at the maximum length, not inside a character. */
    private static String truncated(StringBuilder text) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH);
    }

    private Reply reply(String text, @Nullable Text problem) {
        var citations = CitationParser.in(StorableText.of(text).strip(), chunks.size());
        return new Reply(Reply.Mode.MODEL, citations.text(), citations.of(chunks), problem);
    }

    private Reply fromChunks(@Nullable Text problem) {
        var citations = CitationParser.in(extracted().in(fallback.language()), chunks.size());
        return new Reply(Reply.Mode.PASSAGES, citations.text(), citations.of(chunks), problem);
    }

    /** An answer only of passages that are likely to be one: the others are there to be looked at, where there is none. */
    private Text extracted() {
        var query = fallback.query();
        var passages = chunks.stream()
                .map(chunk -> ExtractedAnswer.Passage.of(chunk.hit()))
                .toList();
        // Of a question that names another subject, the earlier words may be nowhere.
        var judge = query.goesOn() && passages.stream().noneMatch(query::isLikelyAnswer) ? query.alone() : query;
        var answer = ExtractedAnswer.of(
                query,
                passages.stream()
                        .map(passage -> judge.isLikelyAnswer(passage) ? passage : passage.silent())
                        .toList());
        if (!answer.isEmpty()) {
            return Text.verbatim(answer);
        }
        var nearest = ExtractedAnswer.of(query, passages);
        return nearest.isEmpty() ? fallback.otherwise() : Text.of("knowledge.answer.nearest", "sentences", nearest);
    }
}
