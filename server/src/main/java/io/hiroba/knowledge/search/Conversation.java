package io.hiroba.knowledge.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A person's conversation with the assistant: questions that follow each other, with their answers.
 *
 * @param title empty until the first question is asked
 * @param isShared whether members who have its link may read it
 * @param filters of every search in it
 */
public record Conversation(
        ConversationId id,
        UserId owner,
        String title,
        boolean isShared,
        SearchFilters filters,
        int exchangeCount,
        Instant createdAt,
        Instant lastActiveAt) {

    /** The progress of an answer. */
    public enum AnswerState {
        /** Nobody has begun to answer. */
        WAITING,
        ANSWERING,
        ANSWERED,
        /** Its reader stopped it: what was said until then stays. */
        STOPPED,
        /** The server that answered failed, or is gone. */
        INTERRUPTED
    }

    /**
     * A question with its answer.
     *
     * @param isGenerated whether a model answered; otherwise the answer is sentences of the passages
     * @param why the reason why no model answered, or the answer is incomplete
     * @param citations the passages of the answer that the reader may read
     * @param hidden the numbers of those that the reader may not read, or that are gone
     */
    public record Exchange(
            int index,
            String question,
            Instant askedAt,
            AnswerState state,
            boolean isGenerated,
            String answer,
            @Nullable Text why,
            List<Citation> citations,
            List<Integer> hidden) {

        public Exchange {
            citations = List.copyOf(citations);
            hidden = List.copyOf(hidden);
        }

        /** The same without the sentences of passages that the reader may not read; what a model wrote stays as it is. */
        Exchange withoutHidden(Language language) {
            var shown = isGenerated || hidden.isEmpty() ? answer : ExtractedAnswer.without(Set.copyOf(hidden), answer);
            return shown.equals(answer)
                    ? this
                    : new Exchange(
                            index,
                            question,
                            askedAt,
                            state,
                            false,
                            (shown + "\n\n"
                                            + Text.of("knowledge.answer.left-out")
                                                    .in(language))
                                    .strip(),
                            why,
                            citations,
                            hidden);
        }
    }

    /** A conversation with its exchanges in order, as a reader may see them. */
    public record Opened(Conversation conversation, List<Exchange> exchanges) {

        public Opened {
            exchanges = List.copyOf(exchanges);
        }
    }

    /** A position in the list of conversations by last activity. */
    public record Position(Instant lastActiveAt, ConversationId id) {

        public static Position of(Conversation conversation) {
            return new Position(conversation.lastActiveAt, conversation.id);
        }

        /** In microseconds, as the database stores times. */
        public Cursor cursor() {
            long micros = ChronoUnit.MICROS.between(Instant.EPOCH, lastActiveAt);
            return Cursor.of(Long.toString(micros), Long.toString(id.value()));
        }

        public static Position of(Cursor cursor) {
            return new Position(
                    Instant.EPOCH.plus(cursor.number(0), ChronoUnit.MICROS), new ConversationId(cursor.number(1)));
        }
    }
}
