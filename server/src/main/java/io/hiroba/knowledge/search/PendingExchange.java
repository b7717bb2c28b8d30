package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.StorableText;
import io.hiroba.knowledge.search.Conversation.AnswerState;
import io.hiroba.knowledge.search.Conversation.Exchange;
import io.hiroba.knowledge.search.ConversationStore.Attempt;
import io.hiroba.knowledge.search.ConversationStore.Reference;
import io.hiroba.knowledge.search.QuestionAnswering.Question;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WorkLoop;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * A stored question whose answer is to be produced once. What was said is saved every second, which also extends the lease: a
 * reader of any node sees it, can stop it, and knows when whoever answered is gone.
 */
public final class PendingExchange {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration SAVE_INTERVAL = Duration.ofSeconds(1);

    private final Db db;
    private final Clock clock;
    private final QuestionAnswering answers;
    private final Conversations conversations;
    private final Caller caller;
    private final Question question;
    private final Attempt attempt;
    private final ConversationStore store = new ConversationStore();
    private final StringBuilder text = new StringBuilder();
    private volatile boolean stopped;
    private volatile Runnable call = () -> {};

    PendingExchange(
            Db db,
            Clock clock,
            QuestionAnswering answers,
            Conversations conversations,
            Caller caller,
            Question question,
            Attempt attempt) {
        this.db = db;
        this.clock = clock;
        this.answers = answers;
        this.conversations = conversations;
        this.caller = caller;
        this.question = question;
        this.attempt = attempt;
    }

    static Instant lease(Instant now) {
        return now.plus(LEASE);
    }

    /** The exchange as it is stored now. */
    public Exchange exchange() {
        return conversations.exchange(caller, attempt.conversation(), attempt.index(), question.language());
    }

    /**
     * Produces and stores the answer, and returns the complete exchange.
     *
     * @param found receives the passages that the answer may cite, before its first part
     * @param parts receives the parts of a model's answer as they arrive
     */
    public Exchange answer(Consumer<List<Citation>> found, Consumer<String> parts) {
        try {
            var saving = WorkLoop.every(SAVE_INTERVAL, "answer", this::save);
            PendingAnswer pending;
            Reply reply;
            try {
                var before = Prompt.history(conversations.before(attempt.conversation(), attempt.index()));
                pending = answers.follow(caller, question, before, this::calling);
                found.accept(pending.chunks());
                reply = pending.answer(part -> {
                    add(part);
                    parts.accept(part);
                });
            } finally {
                saving.close();
            }
            finish(pending, reply);
            return exchange();
        } catch (RuntimeException e) {
            // Whatever happens is an end: otherwise the question would wait for its lease to be over.
            var said = new Reply(Reply.Mode.MODEL, said(), List.of(), null);
            db.useTransaction(tx -> {
                if (!store.restore(tx, attempt, null)) {
                    store.finish(tx, attempt, AnswerState.INTERRUPTED, said, List.of());
                }
            });
            throw e;
        }
    }

    /** Stops the answer: what was said until then stays. */
    public void stop() {
        stopped = true;
        call.run();
    }

    private void calling(Runnable cancel) {
        call = cancel;
        if (stopped) {
            cancel.run();
        }
    }

    private synchronized void add(String part) {
        text.append(part);
    }

    private synchronized String said() {
        return StorableText.of(text.toString());
    }

    private void save() {
        var said = said();
        if (!db.inTransaction(tx -> store.save(tx, attempt, said, lease(clock.instant())))) {
            stop();
        }
    }

    private void finish(PendingAnswer pending, Reply reply) {
        // An answer that cites nothing shows what it might have cited.
        var passages = reply.citations().isEmpty() && !reply.text().isEmpty() ? pending.chunks() : reply.citations();
        var references = passages.stream()
                .map(each -> new Reference(
                        each.number(),
                        each.hit().source().hex(),
                        each.hit().chunk().hex()))
                .toList();
        // A reader who stopped it knows why the answer ends.
        var kept = stopped ? new Reply(reply.mode(), reply.text(), reply.citations(), null) : reply;
        var state = stopped ? AnswerState.STOPPED : AnswerState.ANSWERED;
        db.useTransaction(tx -> {
            if (!isFailed(kept) || !store.restore(tx, attempt, kept.why())) {
                store.finish(tx, attempt, state, kept, references);
            }
        });
    }

    /** Whether the model said nothing or broke off; an answer that is too long is one. */
    private boolean isFailed(Reply reply) {
        return !stopped
                && (reply.mode() == Reply.Mode.PASSAGES
                        || (reply.why() != null && !reply.why().equals(Text.of("knowledge.answer.cut"))));
    }
}
