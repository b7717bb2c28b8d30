package io.hiroba.agents;

import io.hiroba.accounts.AiActions;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.agents.AgentRunStore.RunEnd;
import io.hiroba.agents.Agents.Found;
import io.hiroba.agents.Librarian.PostedQuestion;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.text.ScriptLanguage;
import io.hiroba.social.PostId;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Carries out runs: claims one, thinks of a reply outside any transaction, and posts it in the transaction that ends the run, if
 * the claim is still its own. A node that dies before that leaves a claim that ends, and the run is carried out anew; one that dies
 * after it leaves a run that has ended. So there is one reply.
 */
final class AgentRunWorker {

    private static final Logger log = LoggerFactory.getLogger(AgentRunWorker.class);
    private static final int MAX_ATTEMPTS = 5;
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration MAX_WAIT = Duration.ofMinutes(5);

    /** Thinks of the reply of a run. It may be asked again after a node died. */
    @FunctionalInterface
    interface Thinker {
        RunOutcome think(ClaimedRun claim, Found agent, PostedQuestion question) throws InterruptedException;
    }

    /** The parts that runs take. */
    record Parts(
            Db db,
            Users users,
            RunPlaces places,
            AiActions actions,
            Agents agents,
            Thinker thinker,
            WakeSignal due,
            RunDrafts drafts) {

        /** As on a node that is alone. */
        Parts(Db db, Users users, RunPlaces places, AiActions actions, Agents agents, Thinker thinker, WakeSignal due) {
            this(db, users, places, actions, agents, thinker, due, new RunDrafts(db, new CommitSignal()));
        }
    }

    private final Parts parts;
    private final Consumer<String> faults;
    private final AgentRunStore store = new AgentRunStore();
    private final AgentPauseStore pauses = new AgentPauseStore();

    /** Claims of runs whose end could not be written, as far as this node knows; those of one that dies end by themselves. */
    private final Queue<ClaimedRun> unended = new ConcurrentLinkedQueue<>();

    private volatile boolean closing;

    AgentRunWorker(Parts parts) {
        this(parts, point -> {});
    }

    /** @param faults is told of each point at which a node may die */
    AgentRunWorker(Parts parts, Consumer<String> faults) {
        this.parts = parts;
        this.faults = faults;
    }

    WorkLoop start(int workers) {
        return WorkLoop.whenSignalled("agents", workers, parts.due(), WorkLoop.FALLBACK_POLL, this::runOne);
    }

    /** From now on a run that does not end well is left to other nodes: calls that this one breaks off are no failures. */
    void closing() {
        closing = true;
    }

    /** False if no run is due, or this node takes none any more. */
    boolean runOne() throws InterruptedException {
        if (closing) {
            return false;
        }
        giveBack();
        var claimed = parts.db().inStatement(store::claim);
        if (claimed.isEmpty()) {
            // The signal knows nothing of a run that another node left.
            parts.db().read(store::nextDueIn).ifPresent(wait -> parts.due().raiseIn(wait.plusMillis(1)));
            return false;
        }
        faults.accept("claimed");
        var run = claimed.get().run();
        try {
            parts.drafts().changed(run);
            carryOut(claimed.get());
        } catch (RuntimeException e) {
            unended.add(claimed.get());
            throw e;
        } finally {
            parts.drafts().changed(run);
        }
        return true;
    }

    /** After a connection or the database was lost, nobody waits for claims that nobody works on. */
    private void giveBack() {
        for (var claim = unended.poll(); claim != null; claim = unended.poll()) {
            try {
                giveBack(claim, backoff(claim.run()), "");
            } catch (RuntimeException e) {
                unended.add(claim);
                throw e;
            }
        }
    }

    private void giveBack(ClaimedRun claim, Duration wait, String cause) {
        parts.db().useTransaction(tx -> store.retryIn(tx, claim, wait, cause));
        parts.due().raiseIn(wait);
    }

    private void carryOut(ClaimedRun claim) throws InterruptedException {
        var run = claim.run();
        RunOutcome outcome;
        try {
            outcome = run.attempts() > MAX_ATTEMPTS
                    ? new RunOutcome.Failed(Reason.GAVE_UP, run.cause())
                    : parts.db().read(reads -> prepare(reads, run)).outcome(this, claim);
        } catch (InterruptedException e) {
            // This node stops: another one need not wait for the claim to end.
            leave(claim);
            throw e;
        } catch (RuntimeException e) {
            log.warn("Run {} of an agent failed", Ids.hex(run.id()), e);
            outcome = new RunOutcome.TryAgain(FIRST_WAIT, Reason.GAVE_UP);
        }
        faults.accept("thought");
        try {
            end(claim, outcome);
        } catch (Problem refusal) {
            end(claim, after(refusal, run, outcome));
        }
        faults.accept("ended");
    }

    /** The outcome of a run whose reply was not taken. */
    private static RunOutcome after(Problem refusal, AgentRun run, RunOutcome outcome) {
        return switch (refusal.code()) {
            // Since the run began, or because of it.
            case "social.post-not-found", "social.thread-not-found", "social.thread-alone", "social.blocked" ->
                new RunOutcome.Refused(Reason.POST_GONE);
            case "social.replies-not-allowed" -> new RunOutcome.Refused(Reason.NO_REPLIES);
            default -> {
                log.warn("The reply of an agent was refused: {}", refusal.code(), refusal);
                if (!(outcome instanceof RunOutcome.Answered) || run.attempts() >= MAX_ATTEMPTS) {
                    yield new RunOutcome.Refused(Reason.GAVE_UP);
                }
                yield refusal.kind() == Problem.Kind.INVALID
                        ? new RunOutcome.Failed(Reason.MODEL_FAILED)
                        : new RunOutcome.TryAgain(FIRST_WAIT, Reason.GAVE_UP);
            }
        };
    }

    /** A run that can be carried out, or the reason why it cannot. */
    private record Prepared(
            @Nullable Reason refused,
            @Nullable Found agent,
            @Nullable PostedQuestion question) {

        RunOutcome outcome(AgentRunWorker worker, ClaimedRun claim) throws InterruptedException {
            if (agent == null || question == null) {
                return new RunOutcome.Refused(refused == null ? Reason.DISABLED : refused);
            }
            return worker.parts.thinker().think(claim, agent, question);
        }
    }

    private Prepared prepare(Reads reads, AgentRun run) {
        var agent = parts.agents().found(reads, run.agent());
        var refused = refusal(reads, agent, run);
        if (agent.isEmpty() || refused != null) {
            return new Prepared(refused, null, null);
        }
        return parts.places()
                .question(reads, run)
                .map(asked -> new Prepared(null, agent.get(), posted(reads, run, agent.get(), asked)))
                .orElseGet(() -> new Prepared(Reason.POST_GONE, null, null));
    }

    private PostedQuestion posted(Reads reads, AgentRun run, Found agent, RunPlaces.Asked asked) {
        var name = agent.profile().user().nickname().value();
        var text = PostedQuestion.text(asked.content(), name);
        return new PostedQuestion(
                run.post(),
                run.caller(),
                run.agent(),
                asked.content(),
                text,
                language(reads, run.caller(), text),
                run.thread(),
                asked.about(),
                asked.form(),
                asked.data());
    }

    /** The reason why an agent does not answer this caller, which may have changed since it was woken. */
    private @Nullable Reason refusal(Reads reads, Optional<Found> agent, AgentRun run) {
        if (agent.isEmpty() || !parts.agents().isAwake(reads, agent.get().agent(), run)) {
            return Reason.DISABLED;
        }
        return agent.get().agent().allows(run.caller()) ? null : Reason.CALLER;
    }

    /** The language of the question; that of the asker where its script does not tell. */
    private Language language(Reads reads, UserId asker, String question) {
        return ScriptLanguage.of(question, () -> parts.users().language(reads, asker))
                .orElseGet(() -> parts.users().language(reads, asker));
    }

    /** Leaves a run to other nodes as if this one had not tried. */
    private void leave(ClaimedRun claim) {
        parts.db().useTransaction(tx -> pauses.giveBack(tx, claim, Duration.ZERO));
    }

    private void end(ClaimedRun claim, RunOutcome outcome) {
        if (closing && (outcome instanceof RunOutcome.TryAgain || outcome instanceof RunOutcome.Failed)) {
            leave(claim);
            log.info(
                    "Run {} of an agent is left to other nodes",
                    Ids.hex(claim.run().id()));
            return;
        }
        switch (outcome) {
            case RunOutcome.Answered answered -> post(claim, answered, null);
            case RunOutcome.Failed failed -> fail(claim, failed);
            case RunOutcome.Refused refused ->
                parts.db().useTransaction(tx -> end(tx, claim, RunEnd.refused(refused.reason())));
            case RunOutcome.TryAgain later -> tryAgain(claim, later);
            case RunOutcome.Parked() ->
                log.debug(
                        "Run {} of an agent waits for an approval",
                        Ids.hex(claim.run().id()));
            case RunOutcome.NotNow later -> {
                parts.db().useTransaction(tx -> pauses.giveBack(tx, claim, later.pause()));
                parts.due().raiseIn(later.pause());
            }
            case RunOutcome.Lost() -> {
                // One that is paused goes on later.
                leave(claim);
                log.info("Run {} of an agent was stopped", Ids.hex(claim.run().id()));
            }
        }
    }

    private void end(Tx tx, ClaimedRun claim, RunEnd end) {
        store.end(tx, claim, end);
        tx.afterCommit(() -> AgentMetrics.ended(end));
    }

    private void tryAgain(ClaimedRun claim, RunOutcome.TryAgain later) {
        if (claim.run().attempts() >= MAX_ATTEMPTS) {
            fail(claim, new RunOutcome.Failed(later.otherwise(), later.cause()));
            return;
        }
        var backoff = backoff(claim.run());
        var longer = later.pause().compareTo(backoff) > 0 ? later.pause() : backoff;
        giveBack(claim, longer.compareTo(MAX_WAIT) < 0 ? longer : MAX_WAIT, later.cause());
    }

    private static Duration backoff(AgentRun run) {
        var wait = FIRST_WAIT.multipliedBy(1L << Math.min(run.attempts(), 10));
        return wait.compareTo(MAX_WAIT) < 0 ? wait : MAX_WAIT;
    }

    private String sentence(AgentRun run, Reason reason) {
        var language = parts.db()
                .read(reads -> language(
                        reads,
                        run.caller(),
                        parts.places()
                                .question(reads, run)
                                .map(RunPlaces.Asked::content)
                                .orElse("")));
        return Text.of("agents.failed." + reason.code()).in(language);
    }

    private void fail(ClaimedRun claim, RunOutcome.Failed failed) {
        post(claim, new RunOutcome.Answered(sentence(claim.run(), failed.reason())), failed);
    }

    /** Posts the reply, which says so if there is a failure, and ends the run, both or neither. */
    private void post(ClaimedRun claim, RunOutcome.Answered answer, RunOutcome.@Nullable Failed failed) {
        var run = claim.run();
        parts.db().useTransaction(tx -> {
            if (!store.lock(tx, claim) || !store.isHeld(tx, claim)) {
                pauses.giveBack(tx, claim, Duration.ZERO);
                log.info("Run {} of an agent took longer than its claim, or was stopped or paused", Ids.hex(run.id()));
                return;
            }
            var refused = refusal(tx, parts.agents().found(tx, run.agent()), run);
            if (refused != null) {
                end(tx, claim, RunEnd.refused(refused));
                return;
            }
            var reply = parts.places().answer(tx, run, answer.text(), failed != null);
            faults.accept("posted");
            answer.together().accept(tx);
            note(tx, run, reply);
            end(
                    tx,
                    claim,
                    failed == null
                            ? new RunEnd(State.ANSWERED, null, "", reply)
                            : new RunEnd(State.FAILED, failed.reason(), failed.cause(), reply));
            faults.accept("noted");
        });
    }

    private void note(Tx tx, AgentRun run, PostId reply) {
        var action = JsonMapper.shared()
                .createObjectNode()
                .put("action", "reply")
                .put("run", Ids.hex(run.id()))
                .put("post", run.post().hex())
                .put("reply", reply.hex())
                .put("caller", run.caller().hex());
        parts.actions().append(tx, Librarian.member(run.agent()), action);
    }
}
