package io.hiroba.agents;

import io.hiroba.accounts.AiActions;
import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.AiModels;
import io.hiroba.agents.AgentBudgetStore.Budget;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.agents.Agents.Found;
import io.hiroba.agents.Librarian.PostedQuestion;
import io.hiroba.agents.RunDraftStore.RunDraft;
import io.hiroba.agents.model.ModelClient;
import io.hiroba.agents.model.ModelFailure;
import io.hiroba.agents.model.ModelMessage;
import io.hiroba.agents.model.ModelMessage.ToolCall;
import io.hiroba.agents.model.ModelRequest;
import io.hiroba.agents.model.ModelTurn;
import io.hiroba.agents.model.ModelTurn.StandIn;
import io.hiroba.agents.model.ModelTurn.StopReason;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries out runs with a model: calls it in turns, with the tools that it asks for in between. Each call is reserved in the budgets
 * of the day before it is made, so that they are never exceeded, and noted with what it took.
 */
final class ModelRuns {

    static final int MAX_OUTPUT_TOKENS = 2_048;
    private static final int MAX_NOTE = 2_000;
    private static final int MAX_TOOL_NAME = 59;
    private static final int TOO_MANY_REQUESTS = 429;

    /** The parts that runs with a model take. */
    record Parts(
            Db db,
            Clock clock,
            AiModels models,
            AiActions actions,
            RunContext context,
            AgentTools tools,
            Function<String, Optional<ModelClient>> clients,
            AgentsConfig config,
            RunTools runTools,
            RunDrafts drafts,
            BiPredicate<Agent, String> allowed) {

        /** As on a node that is alone. */
        Parts(
                Db db,
                Clock clock,
                AiModels models,
                AiActions actions,
                RunContext context,
                AgentTools tools,
                Function<String, Optional<ModelClient>> clients,
                AgentsConfig config,
                RunTools runTools) {
            this(
                    db,
                    clock,
                    models,
                    actions,
                    context,
                    tools,
                    clients,
                    config,
                    runTools,
                    new RunDrafts(db, new CommitSignal()),
                    (_, _) -> true);
        }
    }

    private final Parts parts;
    private final AgentRunStore runs = new AgentRunStore();
    private final AgentActionStore actions = new AgentActionStore();

    ModelRuns(Parts parts) {
        this.parts = parts;
    }

    /** The parts of one run. */
    private record Setup(
            ClaimedRun claim,
            Found found,
            PostedQuestion question,
            AiModel model,
            ModelClient client,
            List<Budget> budgets,
            long deadline) {

        Duration left() {
            return Duration.ofNanos(deadline - System.nanoTime());
        }

        RunTools.Turn turn(int number, List<ToolCall> calls) {
            return new RunTools.Turn(claim, found, number, calls, this::left);
        }
    }

    RunOutcome run(ClaimedRun claim, Found found, PostedQuestion question, String modelName)
            throws InterruptedException {
        var client = parts.clients().apply(modelName);
        var model = parts.models().find(modelName);
        if (client.isEmpty() || model.isEmpty()) {
            return new RunOutcome.Failed(Reason.NO_MODEL);
        }
        var agent = found.agent();
        var setup = new Setup(
                claim,
                found,
                question,
                model.get(),
                client.get(),
                AgentBudgetStore.of(agent, claim.run().caller(), parts.config()),
                System.nanoTime() + Duration.ofSeconds(agent.limits().seconds()).toNanos());
        var context = parts.context().of(found, question);
        var messages = new ArrayList<>(context.messages());
        var tools = parts.tools().definitions(agent.tools());
        // Turns of before a node died, or the caller was asked: what they asked for holds.
        var kept = parts.db().read(reads -> actions.turns(reads, claim.run().id()));
        for (int turn = 1; turn <= agent.limits().turns(); turn++) {
            ModelMessage.Assistant asked;
            if (turn <= kept.size()) {
                asked = kept.get(turn - 1);
            } else {
                var request = new ModelRequest(
                        modelName, context.system(), List.copyOf(messages), tools, MAX_OUTPUT_TOKENS, setup.left());
                switch (call(setup, request, turn)) {
                    case Ended ended -> {
                        return ended.outcome();
                    }
                    case Called called -> {
                        var answered = called.turn();
                        if (isAnswer(question, answered)) {
                            return outcome(answered, context, question);
                        }
                        asked = new ModelMessage.Assistant(answered.text(), answered.toolCalls());
                    }
                }
            }
            messages.add(asked);
            var form = question.form();
            if (asked.toolCalls().isEmpty() && form != null) {
                messages.add(new ModelMessage.User("Your answer cannot be read: %s %s"
                        .formatted(form.check(asked.text()).problem(), form.instructions())));
                continue;
            }
            if (!tellTools(setup, turn, asked)) {
                return new RunOutcome.Lost();
            }
            switch (parts.runTools().use(setup.turn(turn, asked.toolCalls()))) {
                case RunTools.Ended ended -> {
                    return ended.outcome();
                }
                case RunTools.Results used -> messages.add(new ModelMessage.ToolResults(used.results()));
            }
        }
        return new RunOutcome.Failed(Reason.TURNS);
    }

    /** Tells readers which tool is used next; false if the run may not go on here. */
    private boolean tellTools(Setup setup, int turn, ModelMessage.Assistant asked) {
        var tool = RunContext.cut(asked.toolCalls().getFirst().tool(), MAX_TOOL_NAME);
        return parts.drafts().write(setup.claim(), new RunDraft(turn, RunContext.cut(asked.text(), MAX_NOTE), tool));
    }

    /** Whether a turn ends the run: it asks for no tools, and its answer has the form that was asked for. */
    private static boolean isAnswer(PostedQuestion question, ModelTurn turn) {
        var form = question.form();
        return turn.toolCalls().isEmpty()
                && (form == null
                        || turn.stopReason() == StopReason.REFUSED
                        || form.check(turn.text()).answer() != null);
    }

    private static RunOutcome outcome(ModelTurn turn, RunContext.Gathered context, PostedQuestion question) {
        if (turn.stopReason() == StopReason.REFUSED) {
            return new RunOutcome.Failed(Reason.MODEL_REFUSED);
        }
        var form = question.form();
        var checked = form == null ? null : form.check(turn.text()).answer();
        var text = checked == null ? turn.text().strip() : checked.toString();
        return text.isEmpty()
                ? new RunOutcome.Failed(Reason.MODEL_FAILED)
                : new RunOutcome.Answered(whole(turn, text, question), tx -> {
                    // A private thread is its own memory, under its own rights; a step has none.
                    if (question.thread() == null && form == null) {
                        context.remember(tx, text);
                    }
                });
    }

    /** The text of an answer, which says so if it ends in the middle; one in a form ends where the form does. */
    private static String whole(ModelTurn turn, String text, PostedQuestion question) {
        return turn.stopReason() == StopReason.LENGTH && question.form() == null
                ? text + "…\n\n" + Text.of("agents.cut-answer").in(question.language())
                : text;
    }

    /** The result of a turn. */
    private sealed interface TurnResult {}

    private record Called(ModelTurn turn) implements TurnResult {}

    private record Ended(RunOutcome outcome) implements TurnResult {}

    private TurnResult call(Setup setup, ModelRequest request, int turn) throws InterruptedException {
        if (!setup.left().isPositive()) {
            return new Ended(new RunOutcome.Failed(Reason.TIME));
        }
        if (!parts.db().read(reads -> runs.isHeld(reads, setup.claim()))) {
            return new Ended(new RunOutcome.Lost());
        }
        if (!parts.allowed().test(setup.found().agent(), setup.model().name())) {
            return new Ended(new RunOutcome.Failed(Reason.NO_MODEL));
        }
        // Looked up each time, as the model is: what was withdrawn is not asked again.
        var client = setup.client().withStandIns(each -> isAllowed(setup, each));
        var reservation = new ModelReservation(
                parts.db(),
                parts.actions(),
                setup.claim().run(),
                Stream.concat(
                                Stream.of(setup.model()),
                                client.standIns().stream().map(each -> priced(setup, each)))
                        .toList(),
                setup.budgets(),
                parts.clock().instant(),
                request);
        if (!reservation.reserve()) {
            return new Ended(new RunOutcome.Failed(Reason.BUDGET));
        }
        var call = new ModelCall(parts.drafts(), setup.claim(), turn);
        long begun = System.nanoTime();
        try {
            var answered = call.await(client, request);
            if (answered == null) {
                // Somebody may stop one after the other, and each was asked.
                var stopped = note(setup, turn, begun).put("failure", "stopped");
                reservation.settleUnreported(call.received().orElse(0), stopped);
                return new Ended(new RunOutcome.Lost());
            }
            reservation.settle(
                    priced(setup, answered.standIn()),
                    answered.inputTokens(),
                    answered.outputTokens(),
                    note(setup, answered.standIn(), turn, begun)
                            .put("stop", answered.stopReason().name()));
            return keep(setup, turn, answered) ? new Called(answered) : new Ended(new RunOutcome.Lost());
        } catch (ModelFailure failure) {
            var used = failure.tokens();
            var standIn = used == null ? null : used.standIn();
            var note = note(setup, standIn, turn, begun).put("failure", RunContext.cut(failure.getMessage(), MAX_NOTE));
            if (used == null) {
                settleBroken(reservation, call, note);
            } else {
                reservation.settle(priced(setup, standIn), used.in(), used.out(), note);
            }
            return new Ended(outcome(failure));
        } catch (TimeoutException e) {
            settleBroken(reservation, call, note(setup, turn, begun).put("failure", "timeout"));
            return new Ended(new RunOutcome.Failed(Reason.TIME));
        } catch (InterruptedException e) {
            var interrupted = note(setup, turn, begun).put("failure", "interrupted");
            reservation.settleUnreported(call.received().orElse(0), interrupted);
            throw e;
        }
    }

    /** Nothing is charged where no answer has begun: an outage would use the budget up. */
    private static void settleBroken(ModelReservation reservation, ModelCall call, ObjectNode note) {
        var received = call.received();
        if (received.isPresent()) {
            reservation.settleUnreported(received.getAsLong(), note);
        } else {
            reservation.release(note);
        }
    }

    private static RunOutcome outcome(ModelFailure failure) {
        var reason = failure.status() == TOO_MANY_REQUESTS ? Reason.RATE_LIMITED : Reason.MODEL_FAILED;
        var cause = RunContext.cut(failure.getMessage(), RunOutcome.MAX_CAUSE - 1);
        var wait = failure.retryAfter();
        return failure.retryable()
                ? new RunOutcome.TryAgain(wait == null ? Duration.ZERO : wait, reason, cause)
                : new RunOutcome.Failed(reason, cause);
    }

    /** Keeps a turn that the run goes on after; false if the run is not this node's any more. */
    private boolean keep(Setup setup, int turn, ModelTurn answered) {
        if (isAnswer(setup.question(), answered)) {
            return true;
        }
        return parts.db().inTransaction(tx -> {
            if (!runs.lock(tx, setup.claim())) {
                return false;
            }
            var message = new ModelMessage.Assistant(answered.text(), answered.toolCalls());
            actions.keep(tx, setup.claim().run().id(), turn, message);
            return true;
        });
    }

    /** The model whose prices count: the one that answered, if it has any. */
    private AiModel priced(Setup setup, @Nullable StandIn standIn) {
        return standIn == null ? setup.model() : model(standIn).orElse(setup.model());
    }

    private Optional<AiModel> model(StandIn standIn) {
        return parts.models().find(standIn.name()).or(() -> parts.models().find(standIn.model()));
    }

    /** Whether the agent may run on it, as on the one that it is for. */
    private boolean isAllowed(Setup setup, StandIn standIn) {
        var name = model(standIn).map(AiModel::name).orElse(standIn.name());
        return parts.allowed().test(setup.found().agent(), name);
    }

    private static ObjectNode note(Setup setup, int turn, long begun) {
        return note(setup, null, turn, begun);
    }

    private static ObjectNode note(Setup setup, @Nullable StandIn standIn, int turn, long begun) {
        return note("model-call", setup, turn)
                .put("model", standIn == null ? setup.model().name() : standIn.name())
                .put("ms", Duration.ofNanos(System.nanoTime() - begun).toMillis());
    }

    private static ObjectNode note(String action, Setup setup, int turn) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("action", action)
                .put("run", Ids.hex(setup.claim().run().id()))
                .put("caller", setup.claim().run().caller().hex())
                .put("turn", turn);
    }
}
