package io.hiroba.knowledge.ask;

import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.text.Passage.Piece;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A question for which passages have been found, and which is to be answered once. */
public final class Asking {

    /** A longer answer is cut. */
    static final int LONGEST = 20_000;

    private static final int SHOWN = 3;

    private final List<Citation> passages;
    private final @Nullable String why;
    private final Optional<ChatCall> call;
    private final Consumer<Reply> kept;
    private volatile boolean cancelled;

    /**
     * @param why what there is to say where no model is asked
     * @param kept is told the answer, unless the question is cancelled
     */
    Asking(List<Citation> passages, @Nullable String why, Optional<ChatCall> call, Consumer<Reply> kept) {
        this.passages = passages;
        this.why = why;
        this.call = call;
        this.kept = kept;
    }

    public List<Citation> passages() {
        return passages;
    }

    /**
     * Answers, and returns when that is done.
     *
     * @param words is told the pieces of a model's answer as they come
     */
    public Reply answer(Consumer<String> words) {
        var reply = call.isPresent() ? byModel(call.get(), words) : byPassages(why);
        if (!cancelled) {
            kept.accept(reply);
        }
        return reply;
    }

    /** Nobody waits for the answer any more: a model that is asked is told to stop, and nothing is kept. */
    public void cancel() {
        cancelled = true;
        call.ifPresent(ChatCall::cancel);
    }

    private Reply byModel(ChatCall model, Consumer<String> words) {
        var text = new StringBuilder();
        String trouble = null;
        try {
            model.run(piece -> {
                text.append(piece);
                words.accept(piece);
                if (text.length() > LONGEST) {
                    model.cancel();
                }
            });
        } catch (ChatException e) {
            trouble = e.getMessage();
        }
        if (text.length() > LONGEST) {
            return said(beginning(text), "The answer was cut: it was too long.");
        }
        if (text.toString().isBlank()) {
            return byPassages(trouble == null ? "The model said nothing." : trouble);
        }
        return said(text.toString(), trouble);
    }

    /** As much as is kept, and no half of a character. */
    private static String beginning(StringBuilder text) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST);
    }

    private Reply said(String text, @Nullable String trouble) {
        var citations = Citations.in(StorableText.of(text).strip(), passages.size());
        return new Reply(Reply.Mode.MODEL, citations.text(), citations.of(passages), trouble);
    }

    private Reply byPassages(@Nullable String trouble) {
        if (passages.isEmpty()) {
            return new Reply(Reply.Mode.PASSAGES, "Nothing that you may read answers this.", passages, trouble);
        }
        var text = passages.stream().limit(SHOWN).map(Asking::line).collect(Collectors.joining("\n\n"));
        return new Reply(Reply.Mode.PASSAGES, text, passages, trouble);
    }

    private static String line(Citation citation) {
        var passage = citation.passage();
        return "[%d] %s, %s: %s"
                .formatted(
                        citation.number(),
                        passage.sourceTitle(),
                        passage.label(),
                        passage.snippet().stream().map(Piece::text).collect(Collectors.joining()));
    }
}
