package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.knowledge.search.Prompt.Turn;
import io.hiroba.knowledge.sessions.ChatMessage;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.knowledge.sessions.MessageRole;
import io.hiroba.knowledge.sessions.NewMessage;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.knowledge.sessions.SessionRef;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.http.Throttle.Limit;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions from the chunks that the caller may read: with a chat model if one is configured, else with the
 * best chunks.
 */
final class QuestionAnswering {

    /** The messages of a session that are sent with a question. */
    private static final int MAX_HISTORY = 10;

    private final Search search;
    private final ChatSessions sessions;
    private final Throttle throttle;
    private final Supplier<Optional<ChatModel>> model;
    private final int passages;
    private final Limit limit;

    /**
     * @param model the model that answers now
     * @param passages the number of chunks that a prompt contains
     * @param perHour the questions of a user in an hour: each costs a call to the model
     */
    QuestionAnswering(
            Search search,
            ChatSessions sessions,
            Throttle throttle,
            Supplier<Optional<ChatModel>> model,
            int passages,
            int perHour) {
        this.search = search;
        this.sessions = sessions;
        this.throttle = throttle;
        this.model = model;
        this.passages = passages;
        this.limit = new Limit(perHour, Duration.ofHours(1));
    }

    /**
     * Retrieves the chunks for a question and calls the model, if there is one. Question and answer are appended to the
     * given session when the answer is complete; a public session is refused, since its readers might not have access
     * to what the answer quotes.
     */
    PendingAnswer begin(Caller caller, Question question) {
        var ref = question.session() == null ? null : new SessionRef(caller.user(), question.session());
        var before = ref == null ? List.<ChatMessage>of() : history(caller, ref);
        admit(caller);
        return pending(
                caller,
                question,
                FollowUpQuery.of(question.text()),
                Prompt.turns(before),
                model.get(),
                reply -> append(caller, ref, question, reply));
    }

    /**
     * Retrieves the chunks for a question that follows others and calls the model, if there is one. Nothing is stored.
     *
     * @param calls receives what cancels the call to the model that is under way
     */
    PendingAnswer follow(Caller caller, Question question, List<Turn> before, Consumer<Runnable> calls) {
        var chat = model.get();
        var query = SmallTalk.is(question.text())
                ? FollowUpQuery.of(question.text())
                : FollowUpQuery.of(question.text(), before, chat, calls);
        var pending = pending(caller, question, query, before, chat, reply -> {});
        calls.accept(pending::cancel);
        return pending;
    }

    /** Counts a question against the caller's rate limit. */
    void admit(Caller caller) {
        if (!caller.admin()) {
            throttle.check("knowledge-ask:" + caller.user().hex(), limit).orThrow();
        }
    }

    private PendingAnswer pending(
            Caller caller,
            Question question,
            FollowUpQuery followUp,
            List<Turn> before,
            Optional<ChatModel> chat,
            Consumer<Reply> store) {
        if (SmallTalk.is(question.text())) {
            var said = Text.of("knowledge.answer.small-talk");
            return new PendingAnswer(
                    List.of(),
                    new PendingAnswer.Fallback(followUp, null, said, question.language()),
                    Optional.empty(),
                    store);
        }
        var alone = followUp.pointsBack() && !followUp.goesOn()
                ? List.<SearchHit>of()
                : hits(caller, followUp.question(), question.filters());
        boolean isAnsweredAlone = followUp.standsAlone()
                || (!followUp.goesOn()
                        && alone.stream().map(ExtractedAnswer.Passage::of).anyMatch(followUp.alone()::isLikelyAnswer));
        var query = isAnsweredAlone ? followUp.alone() : followUp;
        var hits = isAnsweredAlone ? alone : widened(caller, query, alone, question.filters());
        var numbered = IntStream.range(0, hits.size())
                .mapToObj(i -> new Citation(i + 1, hits.get(i)))
                .toList();
        return new PendingAnswer(
                numbered,
                PendingAnswer.Fallback.of(
                        query,
                        hits.isEmpty()
                                ? Text.of("knowledge.answer.nothing-matches")
                                : Text.of("knowledge.answer.no-model"),
                        question.language()),
                hits.isEmpty()
                        ? Optional.empty()
                        : chat.map(each -> each.ask(Prompt.of(question.text(), numbered, before))),
                store);
    }

    /** What the words of all questions find; where the last goes on with words of its own, only what has these, however it was found. */
    private List<SearchHit> widened(Caller caller, FollowUpQuery query, List<SearchHit> alone, SearchFilters filters) {
        var wide = hits(caller, query.text(), filters);
        if (!query.goesOn()) {
            return wide;
        }
        var known = wide.stream().map(SearchHit::chunk).collect(Collectors.toSet());
        var all = Stream.concat(wide.stream(), alone.stream().filter(hit -> !known.contains(hit.chunk())))
                .toList();
        return query.ofOwnWords(all).stream().limit(passages).toList();
    }

    private List<SearchHit> hits(Caller caller, String query, SearchFilters filters) {
        return search.search(caller, new KnowledgeQuery(query, SearchMode.HYBRID, passages, filters, null))
                .hits();
    }

    private List<ChatMessage> history(Caller caller, SessionRef ref) {
        try {
            var transcript = sessions.read(caller, ref, null, MAX_HISTORY);
            if (transcript.session().isPublic()) {
                throw KnowledgeProblem.sessionPublic();
            }
            return transcript.messages();
        } catch (KnowledgeProblem none) {
            if (none.kind() == Kind.NOT_FOUND && ref.key().type().isPresent()) {
                return List.of();
            }
            throw none;
        }
    }

    /** In one append, so that an answer follows its question. */
    private void append(Caller caller, @Nullable SessionRef ref, Question question, Reply reply) {
        if (ref != null) {
            sessions.appendPrivately(
                    caller,
                    ref,
                    List.of(
                            NewMessage.of(MessageRole.USER, question.text()),
                            NewMessage.of(MessageRole.ASSISTANT, reply.text())));
        }
    }

    /**
     * A question to answer.
     *
     * @param session a session of the caller's that the question belongs to
     * @param language of what is said where no model answers: that of the question, and the reader's where it does not tell
     */
    record Question(String text, @Nullable SessionKey session, SearchFilters filters, Language language) {

        static final int MAX_LENGTH = 2_000;

        public Question {
            text = StorableText.of(text).strip();
            if (text.isEmpty() || text.length() > MAX_LENGTH) {
                throw KnowledgeProblem.invalid("question", Text.of("knowledge.field.question", "max", MAX_LENGTH));
            }
            language = QuestionWords.language(text, language);
        }
    }
}
