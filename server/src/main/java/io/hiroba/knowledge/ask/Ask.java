package io.hiroba.knowledge.ask;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.search.Mode;
import io.hiroba.knowledge.search.Search;
import io.hiroba.knowledge.search.SearchQuery;
import io.hiroba.knowledge.sessions.Message;
import io.hiroba.knowledge.sessions.NewMessage;
import io.hiroba.knowledge.sessions.Role;
import io.hiroba.knowledge.sessions.SessionRef;
import io.hiroba.knowledge.sessions.Sessions;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.http.Throttle.Limit;
import io.hiroba.platform.problem.Problem.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Answers questions from what the asker may read: by a model where there is one, else with the best passages. */
public final class Ask {

    /** What one person may ask; each question costs a call to the model. */
    static final Limit LIMIT = new Limit(60, Duration.ofHours(1));

    /** What of a conversation goes along with a question. */
    private static final int REMEMBERED = 10;

    private final Search search;
    private final Sessions sessions;
    private final Throttle throttle;
    private final Optional<ChatModel> model;
    private final int passages;

    /** @param passages how many an answer may be made of */
    public Ask(Search search, Sessions sessions, Throttle throttle, Optional<ChatModel> model, int passages) {
        this.search = search;
        this.sessions = sessions;
        this.throttle = throttle;
        this.model = model;
        this.passages = passages;
    }

    /**
     * Finds the passages for a question and asks the model, if there is one. Question and answer become a part of the
     * session, if one is named, when the answer is complete; a public one is refused, since its readers would read there
     * what only the asker may.
     */
    public Asking begin(Caller caller, Question question) {
        var ref = question.session() == null ? null : new SessionRef(caller.user(), question.session());
        var before = ref == null ? List.<Message>of() : remembered(caller, ref);
        if (!caller.admin()) {
            throttle.check("knowledge-ask:" + caller.user().hex(), LIMIT).orThrow();
        }
        var hits = search.search(
                        caller, new SearchQuery(question.text(), Mode.HYBRID, passages, question.filters(), null))
                .hits();
        var numbered = IntStream.range(0, hits.size())
                .mapToObj(i -> new Citation(i + 1, hits.get(i)))
                .toList();
        return new Asking(
                numbered,
                hits.isEmpty()
                        ? "No passage that you may read was found."
                        : "No model is configured: these are the passages that fit best.",
                hits.isEmpty()
                        ? Optional.empty()
                        : model.map(chat -> chat.ask(Prompt.of(question.text(), numbered, before))),
                reply -> keep(caller, ref, question, reply));
    }

    private List<Message> remembered(Caller caller, SessionRef ref) {
        try {
            var transcript = sessions.read(caller, ref, null, REMEMBERED);
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

    /** Both at once, so that a question is followed by its answer whoever else is speaking. */
    private void keep(Caller caller, @Nullable SessionRef ref, Question question, Reply reply) {
        if (ref != null) {
            sessions.appendPrivately(
                    caller,
                    ref,
                    List.of(NewMessage.of(Role.USER, question.text()), NewMessage.of(Role.ASSISTANT, reply.text())));
        }
    }
}
