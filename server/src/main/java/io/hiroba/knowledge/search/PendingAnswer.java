package io.hiroba.knowledge.search;

import io.hiroba.knowledge.StorableText;
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
    private final @Nullable String why;
    private final Optional<ChatCompletion> call;
    private final Consumer<Reply> store;
    private volatile boolean cancelled;

    /**
     * @param why the reason if no model is called
     * @param store stores the answer, unless it is cancelled
     */
    PendingAnswer(List<Citation> chunks, @Nullable String why, Optional<ChatCompletion> call, Consumer<Reply> store) {
        this.chunks = chunks;
        this.why = why;
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
        String problem = null;
        try {
            model.run(piece -> {
                text.append(piece);
                parts.accept(piece);
                if (text.length() > MAX_LENGTH) {
                    model.cancel();
                }
            });
        } catch (ChatException e) {
            problem = e.getMessage();
        }
        if (text.length() > MAX_LENGTH) {
            return reply(truncated(text), "The answer was too long and was cut.");
        }
        if (text.toString().isBlank()) {
            return fromChunks(problem == null ? "The model returned no answer." : problem);
        }
        return reply(text.toString(), problem);
    }

    /** Truncates at the maximum length, not inside a character. */
    private static String truncated(StringBuilder text) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH);
    }

    private Reply reply(String text, @Nullable String problem) {
        var citations = CitationParser.in(StorableText.of(text).strip(), chunks.size());
        return new Reply(Reply.Mode.MODEL, citations.text(), citations.of(chunks), problem);
    }

    private Reply fromChunks(@Nullable String problem) {
        if (chunks.isEmpty()) {
            return new Reply(Reply.Mode.PASSAGES, "Nothing that you can read answers this.", chunks, problem);
        }
        var text =
                chunks.stream().limit(FALLBACK_CHUNKS).map(PendingAnswer::line).collect(Collectors.joining("\n\n"));
        return new Reply(Reply.Mode.PASSAGES, text, chunks, problem);
    }

    private static String line(Citation citation) {
        var passage = citation.hit();
        return "[%d] %s, %s: %s"
                .formatted(
                        citation.number(),
                        passage.sourceTitle(),
                        passage.label(),
                        passage.snippet().stream().map(Piece::text).collect(Collectors.joining()));
    }
}
