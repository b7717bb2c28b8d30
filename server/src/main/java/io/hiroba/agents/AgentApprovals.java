package io.hiroba.agents;

import io.hiroba.accounts.AccountLookup;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentAction.Origin;
import io.hiroba.agents.AgentAction.State;
import io.hiroba.agents.Agents.Found;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.text.VisibleText;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The facade of what agents ask their callers to approve. Whoever called decides, and nobody else. */
public final class AgentApprovals {

    static final String PATH = "/agents/approvals/";

    private static final int MAX_COMMENT = 5_000;

    private static final Pattern BACKTICKS = Pattern.compile("`+");

    private final Db db;
    private final InstantSource clock;
    private final AuditLog audit;
    private final WakeSignal due;
    private final Agents agents;
    private final RunPlaces places;
    private final AgentRunStore runs = new AgentRunStore();
    private final AccountLookup accounts = new AccountLookup();
    private final AgentActionStore store = new AgentActionStore();

    /** @param due is raised when a run can go on */
    AgentApprovals(Db db, InstantSource clock, AuditLog audit, WakeSignal due, Agents agents, RunPlaces places) {
        this.db = db;
        this.clock = clock;
        this.audit = audit;
        this.due = due;
        this.agents = agents;
        this.places = places;
    }

    /**
     * A change that an agent asks its caller to approve.
     *
     * @param question the path of the page that shows it
     * @param text what is to be done, as Markdown in which no argument can write
     * @param arguments of the tool, to be shown as they are
     * @param outcome {@code done} or {@code failed} once it was carried out; empty before
     */
    public record Approval(
            long id,
            UserId agent,
            String question,
            String title,
            String tool,
            String text,
            List<Argument> arguments,
            String state,
            String comment,
            String outcome,
            Instant openedAt,
            Instant deadline) {

        public Approval {
            arguments = List.copyOf(arguments);
        }

        boolean isOpen() {
            return state.equals(State.OPEN.code());
        }
    }

    /** An argument of a tool with its value: a text as it is, anything else as JSON. */
    public record Argument(String name, String value) {}

    /** The approval of this id that the caller is asked for, if there is one. */
    public Optional<Approval> find(Caller caller, long id) {
        return db.read(reads -> store.find(reads, id))
                .filter(action -> action.origin().caller().equals(caller.user()))
                .map(action -> approval(action, clock.instant()));
    }

    /** When those of the approvals that there are expire. */
    public Map<Long, Instant> deadlines(Reads reads, Collection<Long> ids) {
        return store.deadlines(reads, ids);
    }

    /** The path of its page, which asks for a session; none if there is no such approval. */
    public Optional<String> path(long id) {
        return db.read(reads -> store.find(reads, id)).map(action -> PATH + Ids.hex(action.id()));
    }

    /** Approves or rejects what an agent asks the caller for; false if there is no such approval of an agent. */
    public boolean decide(Tx tx, Caller caller, long id, boolean approve, String comment) {
        var seen = store.find(tx, id);
        if (seen.isEmpty()) {
            return false;
        }
        // Nobody agrees in the name of somebody else.
        caller.requireNotActing();
        var action = seen.get();
        if (!action.origin().caller().equals(caller.user())
                || accounts.active(tx, List.of(caller.user()), clock.instant()).isEmpty()) {
            throw AgentsProblem.approvalNotFound();
        }
        if (comment.length() > MAX_COMMENT) {
            throw AgentsProblem.invalid("comment", Text.of("agents.field.too-long", "max", MAX_COMMENT));
        }
        store.lockRun(tx, action.origin().run());
        var state = approve ? State.APPROVED : State.REJECTED;
        if (!store.decide(
                tx, action, state, RunContext.cut(comment, MAX_COMMENT).strip())) {
            throw AgentsProblem.approvalClosed();
        }
        if (approve && !goesOn(tx, action.origin())) {
            throw AgentsProblem.approvalImpossible();
        }
        audit.record(
                tx,
                caller,
                approve ? AuditLog.Action.APPROVAL_APPROVED : AuditLog.Action.APPROVAL_REJECTED,
                Target.of(action.origin().agent()),
                Changes.NONE.with("tool", null, action.tool()));
        tx.afterCommit(due::raise);
        return true;
    }

    /** Whether the run goes on to do it: an agent that does not answer any more, or a question that is gone, ends it instead. */
    private boolean goesOn(Reads reads, Origin origin) {
        return runs.find(reads, origin.agent(), origin.run())
                .filter(run -> places.question(reads, run).isPresent())
                .filter(run -> agents.found(reads, origin.agent())
                        .map(Found::agent)
                        .filter(agent -> agent.allows(run.caller()) && agents.isAwake(reads, agent, run))
                        .isPresent())
                .isPresent();
    }

    void decide(Caller caller, long id, boolean approve, String comment) {
        db.useTransaction(tx -> {
            if (!decide(tx, caller, id, approve, comment)) {
                throw AgentsProblem.approvalNotFound();
            }
        });
    }

    private static Approval approval(AgentAction action, Instant now) {
        var outcome = action.answer() == null ? "" : action.failed() ? "failed" : "done";
        var deadline = Objects.requireNonNull(action.expiresAt());
        // Its run closes it a little later.
        var state = action.state() == State.OPEN && !now.isBefore(deadline) ? State.OVERDUE : action.state();
        return new Approval(
                action.id(),
                action.origin().agent(),
                action.origin().question(),
                action.title(),
                action.tool(),
                text(action),
                arguments(action.input()),
                state.code(),
                action.comment(),
                outcome,
                action.createdAt(),
                deadline);
    }

    private static List<Argument> arguments(String input) {
        return ApiAgentTools.JSON.readTree(input).properties().stream()
                .map(argument ->
                        new Argument(VisibleText.of(argument.getKey()), VisibleText.of(value(argument.getValue()))))
                .toList();
    }

    private static String value(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toPrettyString();
    }

    /** In a block of code that no argument can end. */
    private static String text(AgentAction action) {
        var shown = VisibleText.of(ApiAgentTools.JSON.readTree(action.input()).toPrettyString());
        int longest = BACKTICKS
                .matcher(shown)
                .results()
                .mapToInt(found -> found.group().length())
                .max()
                .orElse(0);
        var fence = "`".repeat(Math.max(3, longest + 1));
        return "`%s`\n\n%sjson\n%s\n%s".formatted(action.tool(), fence, shown, fence);
    }
}
