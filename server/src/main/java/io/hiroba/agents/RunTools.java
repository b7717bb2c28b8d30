package io.hiroba.agents;

import io.hiroba.accounts.AiActions;
import io.hiroba.accounts.User.Kind;
import io.hiroba.accounts.Users;
import io.hiroba.agents.AgentAction.State;
import io.hiroba.agents.AgentActionStore.NewAction;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.agents.AgentTools.Change;
import io.hiroba.agents.AgentTools.ToolAnswer;
import io.hiroba.agents.Agents.Found;
import io.hiroba.agents.model.ModelMessage.ToolCall;
import io.hiroba.agents.model.ModelMessage.ToolResult;
import io.hiroba.mcp.ApiTools.Effect;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Uses the tools that a turn asks for. Changes are rows before they are made, with the arguments that are shown and sent: small ones are
 * made at once, for others the run is left until its caller has decided about all of them. Each is made with a key of its own, so that a
 * node which dies after the change and before its note leads to no second one.
 */
final class RunTools {

    private static final int MAX_CALLS = 8;
    private static final int MAX_ANSWER = 20_000;
    private static final int MAX_INPUT = 20_000;
    private static final int MAX_NOTE = 2_000;

    /** Keys of calls are known for a day; what was begun longer ago may have been done. */
    private static final Duration MAX_DOUBT = Duration.ofHours(23);

    private static final Duration RETRY = Duration.ofSeconds(2);

    /** The parts that tools take. */
    record Parts(
            Db db,
            IdGenerator ids,
            Users users,
            Agents agents,
            AiActions actions,
            AgentTools tools,
            AgentsConfig config,
            RunDrafts drafts) {

        /** As on a node that is alone. */
        Parts(
                Db db,
                IdGenerator ids,
                Users users,
                Agents agents,
                AiActions actions,
                AgentTools tools,
                AgentsConfig config) {
            this(db, ids, users, agents, actions, tools, config, new RunDrafts(db, new CommitSignal()));
        }
    }

    /** A turn that asks for tools. */
    record Turn(ClaimedRun claim, Found found, int number, List<ToolCall> calls, Supplier<Duration> left) {

        Turn {
            calls = List.copyOf(calls);
        }

        AgentRun run() {
            return claim.run();
        }

        private boolean isInTime() {
            return left.get().isPositive();
        }

        private String key(int position) {
            return "agent-run-%s-%d-%d".formatted(Ids.hex(run().id()), number, position);
        }
    }

    /** The outcome of a turn. */
    sealed interface Used {}

    /** The answers, in the order of the calls. */
    record Results(List<ToolResult> results) implements Used {

        Results {
            results = List.copyOf(results);
        }
    }

    /** The run does not go on here. */
    record Ended(RunOutcome outcome) implements Used {}

    private final Parts parts;
    private final ToolCalls calls;
    private final Consumer<String> faults;
    private final AgentRunStore runs = new AgentRunStore();
    private final AgentActionStore store = new AgentActionStore();

    RunTools(Parts parts) {
        this(parts, point -> {});
    }

    /** @param faults is told of each point at which a node may die */
    RunTools(Parts parts, Consumer<String> faults) {
        this.parts = parts;
        this.calls = new ToolCalls(parts.tools(), parts.drafts());
        this.faults = faults;
    }

    Used use(Turn turn) throws InterruptedException {
        var changes = changes(turn);
        if (!changes.isEmpty()) {
            var ended = request(turn, changes);
            if (ended.isPresent()) {
                return ended.get();
            }
        }
        var kept = changes.isEmpty()
                ? Map.<Integer, AgentAction>of()
                : parts.db().read(reads -> store.of(reads, turn.run().id(), turn.number()));
        var results = new ArrayList<ToolResult>();
        for (int position = 0; position < turn.calls().size(); position++) {
            if (!parts.db().read(reads -> runs.isHeld(reads, turn.claim()))) {
                return new Ended(new RunOutcome.Lost());
            }
            var call = turn.calls().get(position);
            var action = kept.get(position);
            if (action == null) {
                results.add(read(turn, call, position));
                continue;
            }
            if (action.answer() == null && (action.state() == State.SMALL || action.state() == State.APPROVED)) {
                switch (make(turn, action)) {
                    case Ended ended -> {
                        return ended;
                    }
                    case Results made -> results.add(result(call, made.results().getFirst()));
                }
            } else {
                results.add(result(call, told(action)));
            }
        }
        return new Results(results);
    }

    private static ToolResult result(ToolCall call, ToolResult told) {
        return new ToolResult(call.id(), told.text(), told.failed());
    }

    /** The positions of those calls that change something. */
    private List<Integer> changes(Turn turn) {
        var changes = new ArrayList<Integer>();
        for (int position = 0; position < Math.min(MAX_CALLS, turn.calls().size()); position++) {
            var tool = turn.calls().get(position).tool();
            if (turn.found().agent().tools().contains(tool)) {
                var effect = effect(turn, tool);
                if (effect == Effect.SMALL || effect == Effect.LARGE) {
                    changes.add(position);
                }
            }
        }
        return changes;
    }

    /** Adds the changes that a turn asks for, and leaves the run if somebody has to decide. */
    private Optional<Used> request(Turn turn, List<Integer> positions) {
        long run = turn.run().id();
        var kept = parts.db().read(reads -> store.of(reads, run, turn.number()));
        int before = parts.db().read(reads -> store.count(reads, run));
        var added = new ArrayList<NewAction>();
        for (int position : positions) {
            if (!kept.containsKey(position)) {
                added.add(action(turn, position, before + added.size()));
            }
        }
        var parked = parts.db().inTransaction(tx -> {
            if (!runs.lock(tx, turn.claim())) {
                return Optional.<Used>of(new Ended(new RunOutcome.Lost()));
            }
            added.forEach(action -> store.add(tx, run, turn.number(), action));
            store.expire(tx, run);
            return store.park(tx, turn.claim())
                    ? Optional.<Used>of(new Ended(new RunOutcome.Parked()))
                    : Optional.<Used>empty();
        });
        faults.accept("requested");
        return parked;
    }

    private NewAction action(Turn turn, int position, int before) {
        var call = turn.calls().get(position);
        var tool = call.tool();
        var run = turn.run();
        var input = parts.tools().arguments(tool, call.input());
        // Before it is checked: a tool that is taken away meanwhile is not the one of its next version.
        var version = parts.tools().version(tool);
        var refusal = refusal(turn, input.orElse(null), tool, before);
        boolean small = effect(turn, tool) == Effect.SMALL;
        if (refusal == null && !small) {
            var change = new Change(tool, input.orElse("{}"), turn.key(position), run.agent(), run.caller(), false, "");
            var checked = parts.tools().check(change);
            refusal = checked.failed() ? checked.text() : null;
        }
        return new NewAction(
                parts.ids().next(),
                position,
                tool,
                refusal == null ? input.orElse("{}") : "{}",
                refusal == null && !small ? title(turn, tool) : "",
                refusal != null ? State.REFUSED : small ? State.SMALL : State.OPEN,
                parts.config().approvalTimeout(),
                refusal == null ? null : RunContext.cut(refusal, MAX_ANSWER),
                version);
    }

    private @Nullable String refusal(Turn turn, @Nullable String input, String tool, int before) {
        if (input == null) {
            return "The arguments must be one JSON object.";
        }
        if (input.length() > MAX_INPUT) {
            return "The arguments are too long.";
        }
        if (before >= parts.config().maxActions()) {
            return "This run has changed as much as it may.";
        }
        return effect(turn, tool) == Effect.LARGE && isByAgent(turn.run())
                ? "This takes the approval of a person, and an agent asked for it."
                : null;
    }

    /** What the agent of another member changes takes an approval each time: no admin answers for its instructions. */
    private Effect effect(Turn turn, String tool) {
        var effect = parts.tools().effect(tool);
        var owner = turn.found().agent().owner();
        return effect == Effect.SMALL
                        && owner != null
                        && !owner.equals(turn.run().caller())
                ? Effect.LARGE
                : effect;
    }

    private boolean isByAgent(AgentRun run) {
        return parts.db()
                .read(reads -> parts.users().find(reads, run.caller()))
                .filter(caller -> caller.user().kind() != Kind.AGENT)
                .isEmpty();
    }

    private String title(Turn turn, String tool) {
        var language = parts.db()
                .read(reads -> parts.users().language(reads, turn.run().caller()));
        var what = parts.tools().isRemote(tool)
                ? Text.of("agents.tool.remote", "tool", tool)
                : Text.of("agents.tool." + tool.replace('_', '-'));
        return Text.of(
                        "agents.approval.title",
                        "agent",
                        turn.found().profile().user().nickname().value(),
                        "what",
                        what.in(language))
                .in(language);
    }

    /** Makes a change whose row says that it may be made, and notes what it led to. */
    private Used make(Turn turn, AgentAction action) throws InterruptedException {
        var run = turn.run();
        if (!turn.isInTime()) {
            return new Ended(new RunOutcome.Failed(Reason.TIME));
        }
        var begun = parts.db().inTransaction(tx -> {
            if (!runs.lock(tx, turn.claim())) {
                return Optional.<Duration>empty();
            }
            return Optional.of(parts.agents().isAwake(tx, run) ? store.begin(tx, action.id()) : Duration.ofSeconds(-1));
        });
        if (begun.isEmpty()) {
            return new Ended(new RunOutcome.Lost());
        }
        if (begun.get().isNegative()) {
            return new Ended(new RunOutcome.Refused(Reason.DISABLED));
        }
        faults.accept("begun");
        long start = System.nanoTime();
        var answer = begun.get().compareTo(MAX_DOUBT) > 0
                ? new ToolAnswer("It was begun long ago, and it is not known whether it was done.", true)
                : calls.change(
                        turn,
                        new Change(
                                action.tool(),
                                action.input(),
                                turn.key(action.origin().position()),
                                run.agent(),
                                run.caller(),
                                begun.get().isPositive(),
                                action.version()));
        faults.accept("made");
        if (answer.unknown()) {
            return new Ended(new RunOutcome.TryAgain(RETRY, Reason.GAVE_UP));
        }
        var kept = new ToolAnswer(RunContext.cut(answer.text(), MAX_ANSWER), answer.failed());
        boolean held = parts.db().inTransaction(tx -> {
            boolean own = runs.lock(tx, turn.claim());
            // What another server was asked for is known here alone, also after the run was stopped.
            if (!own && !parts.tools().isRemote(action.tool())) {
                return false;
            }
            store.end(tx, action.id(), kept, ToolCalls.post(action.tool(), answer));
            parts.actions()
                    .append(
                            tx,
                            Librarian.member(run.agent()),
                            note(turn, action.tool(), action.input(), kept.failed(), start));
            return own;
        });
        faults.accept("made and noted");
        return held ? new Results(List.of(told(action.tool(), kept))) : new Ended(new RunOutcome.Lost());
    }

    private static ToolResult told(AgentAction action) {
        var answer = action.answer();
        if (answer != null) {
            return told(action.tool(), new ToolAnswer(answer, action.failed()));
        }
        var text = switch (action.state()) {
            case REJECTED -> RunContext.data("decision", "state", "refused by the person who asked", action.comment());
            case OVERDUE -> "It was not done: nobody approved it in time.";
            default -> "It was not done.";
        };
        return new ToolResult("", text, true);
    }

    private static ToolResult told(String tool, ToolAnswer answer) {
        return new ToolResult(
                "",
                answer.failed() ? answer.text() : RunContext.data("tool", "name", tool, answer.text()),
                answer.failed());
    }

    private ToolResult read(Turn turn, ToolCall call, int position) throws InterruptedException {
        long start = System.nanoTime();
        var answer = answer(turn, call, position);
        var note = note(turn, call.tool(), call.input(), answer.failed(), start);
        parts.db()
                .useTransaction(tx ->
                        parts.actions().append(tx, Librarian.member(turn.run().agent()), note));
        return result(
                call, told(call.tool(), new ToolAnswer(RunContext.cut(answer.text(), MAX_ANSWER), answer.failed())));
    }

    /** The model is told what cannot be done, so that it can go on without. */
    private ToolAnswer answer(Turn turn, ToolCall call, int position) throws InterruptedException {
        if (!turn.found().agent().tools().contains(call.tool())) {
            return new ToolAnswer("There is no such tool.", true);
        }
        if (position >= MAX_CALLS) {
            return new ToolAnswer("Too many tools at once.", true);
        }
        if (!turn.isInTime()) {
            return new ToolAnswer("The time is over.", true);
        }
        return calls.use(turn, call);
    }

    private static ObjectNode note(Turn turn, String tool, String input, boolean failed, long start) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("action", "tool-call")
                .put("run", Ids.hex(turn.run().id()))
                .put("caller", turn.run().caller().hex())
                .put("turn", turn.number())
                .put("tool", RunContext.cut(tool, MAX_NOTE))
                .put("input", RunContext.cut(input, MAX_NOTE))
                .put("failed", failed)
                .put("ms", Duration.ofNanos(System.nanoTime() - start).toMillis());
    }
}
