package io.hiroba.knowledge.search;

import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.Passage.Piece;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A question whose chunks were found and that is to be answered once. */
public final class PendingAnswer {

    /** The maximum length of an answer. */
    static final int MAX_LENGTH = 20_000;

    private static final int FALLBACK_CHUNKS = 3;

    private final List<Citation> chunks;
    private final Text why;
    private final Language language;
    private final Optional<ChatCompletion> call;
    private final Consumer<Reply> store;
    private volatile boolean cancelled;

    /**
     * @param why the reason if no model is called
     * @param language of what is said where the model says nothing
     * @param store stores the answer, unless it is cancelled
     */
    PendingAnswer(
            List<Citation> chunks, Text why, Language language, Optional<ChatCompletion> call, Consumer<Reply> store) {
        this.chunks = chunks;
        this.why = why;
        this.language = language;
        this.call = call;
        this.store = store;
    }

    public List<Citation> chunks() {
        return chunks;
    }

    /**
     * Produces the answer, and returns when it is complete.
     *
     * @param parts receives the parts of a model's answer as they arrive
     */
    public Reply answer(Consumer<String> parts) {
        var reply = call.isPresent() ? fromModel(call.get(), parts) : fromChunks(why);
        if (!cancelled) {
            store.accept(reply);
        }
        return reply;
    }

    /** Cancels the answer: the call to the model is closed and nothing is stored. */
    public void cancel() {
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
        return new Reply(
                Reply.Mode.MODEL,
                citations.text(),
                citations.of(chunks),
                problem == null ? null : problem.in(language));
    }

    private Reply fromChunks(Text problem) {
        var reason = problem.in(language);
        if (chunks.isEmpty()) {
            return new Reply(
                    Reply.Mode.PASSAGES,
                    Text.of("knowledge.answer.nothing-answers").in(language),
                    chunks,
                    reason);
        }
        var text = chunks.stream().limit(FALLBACK_CHUNKS).map(this::line).collect(Collectors.joining("\n\n"));
        return new Reply(Reply.Mode.PASSAGES, text, chunks, reason);
    }

    private String line(Citation citation) {
        var passage = citation.hit();
        return Text.of(
                        "knowledge.answer.line",
                        "number",
                        citation.number(),
                        "title",
                        passage.sourceTitle(),
                        "place",
                        ChunkLocation.text(passage.label()),
                        "passage",
                        passage.snippet().stream().map(Piece::text).collect(Collectors.joining()))
                .in(language);
    }
}
