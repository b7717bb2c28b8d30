package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRunStore.NewRun;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostId;
import io.hiroba.social.SocialEvents;
import io.hiroba.social.messages.ThreadId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds a run for each post or direct message that wakes an agent, in the transaction that advances the consumer's cursor. */
final class AgentWaker implements EventHandler {

    static final String CONSUMER = "agents";

    /** The clocks of nodes and database may differ by this much. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private static final Set<String> WAKING = Set.of(SocialEvents.MENTION, SocialEvents.REPLY, SocialEvents.MESSAGE);

    private final IdGenerator ids;
    private final AgentsConfig config;
    private final WakeSignal due;
    private final AgentStore agents = new AgentStore();
    private final AgentRunStore runs = new AgentRunStore();
    private final AgentActionStore actions = new AgentActionStore();
    private final AgentTriggerStore triggers = new AgentTriggerStore();

    /** @param due is raised when there are runs to carry out */
    AgentWaker(IdGenerator ids, AgentsConfig config, WakeSignal due) {
        this.ids = ids;
        this.config = config;
        this.due = due;
    }

    /** An event that may wake {@code agent}. */
    private record Call(
            UserId agent,
            PostId post,
            UserId author,
            Wake wake,
            @Nullable PostId parent,
            @Nullable ThreadId thread) {

        static Optional<Call> of(Event event) {
            var payload = event.payload();
            if (event.type().equals(SocialEvents.MESSAGE)) {
                return payload.path("addressed").asInt(0) == 1
                                && payload.path("recipientKind").asString("").equals("agent")
                        ? Optional.of(new Call(
                                UserId.parse(payload.path("recipientId").asString("")),
                                PostId.parse(payload.path("messageId").asString("")),
                                UserId.parse(payload.path("userId").asString("")),
                                Wake.MESSAGE,
                                idOf(payload.path("previousId").asString("")),
                                ThreadId.parse(payload.path("threadId").asString(""))))
                        : Optional.empty();
            }
            boolean mention = event.type().equals(SocialEvents.MENTION);
            if (!mention && !event.type().equals(SocialEvents.REPLY)) {
                return Optional.empty();
            }
            var agent = payload.path(mention ? "mentionedUserId" : "ownerId").asString("");
            return Optional.of(new Call(
                    UserId.parse(agent),
                    PostId.parse(payload.path("postId").asString("")),
                    UserId.parse(payload.path("userId").asString("")),
                    mention ? Wake.MENTION : Wake.REPLY,
                    idOf(payload.path("replyToPostId").asString("")),
                    null));
        }

        Call wokenBy(Wake other) {
            return new Call(agent, post, author, other, parent, thread);
        }

        private static @Nullable PostId idOf(String id) {
            return id.isEmpty() ? null : PostId.parse(id);
        }
    }

    @Override
    public boolean isAffectedBy(String type) {
        return WAKING.contains(type);
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var calls = triggered(
                tx, batch.stream().flatMap(event -> Call.of(event).stream()).toList());
        if (calls.isEmpty() || !config.enabled()) {
            return;
        }
        var called = agents.lockAmong(tx, calls.stream().map(Call::agent).collect(Collectors.toSet())).stream()
                .collect(Collectors.toMap(Agent::id, Function.identity()));
        var waking = calls.stream()
                .filter(call -> isWoken(called.get(call.agent()), call))
                .toList();
        if (!waking.isEmpty()) {
            add(tx, waking, called);
        }
    }

    /** The calls, those of triggers by their kinds. */
    private List<Call> triggered(Tx tx, List<Call> calls) {
        var messages = calls.stream()
                .filter(call -> call.wake() == Wake.MESSAGE)
                .map(Call::post)
                .toList();
        if (messages.isEmpty()) {
            return calls;
        }
        var kinds = triggers.kinds(tx, messages);
        return calls.stream()
                .map(call -> call.wokenBy(kinds.getOrDefault(call.post(), call.wake())))
                .toList();
    }

    /** An agent is silent while it is disabled, to itself, and to posts of before it was one. */
    private static boolean isWoken(@Nullable Agent agent, Call call) {
        return agent != null
                && agent.enabled()
                && agent.wake().contains(call.wake())
                && !call.author().equals(agent.id())
                && !call.post().createdAt().isBefore(agent.createdAt().minus(CLOCK_DIFFERENCE));
    }

    private void add(Tx tx, List<Call> calls, Map<UserId, Agent> called) {
        var byAgents = runs.agentsAmong(tx, calls.stream().map(Call::author).collect(Collectors.toSet()));
        // Before the posts that are noted: one that is noted in between is found there.
        var underWay = actions.depthsUnderWay(tx, byAgents);
        var posts = calls.stream()
                .flatMap(call -> Stream.concat(Stream.of(call.post()), Optional.ofNullable(call.parent()).stream()))
                .collect(Collectors.toSet());
        var depths = new HashMap<>(actions.depths(tx, posts));
        depths.putAll(runs.depths(tx, posts));
        var added = new ArrayList<NewRun>();
        for (var call : calls) {
            int depth = byAgents.contains(call.author())
                    ? 1 + before(call, depths, underWay.getOrDefault(call.author(), 0))
                    : 0;
            var agent = Objects.requireNonNull(called.get(call.agent()));
            added.add(new NewRun(
                    ids.next(),
                    call.agent(),
                    call.post(),
                    call.thread(),
                    call.author(),
                    call.wake(),
                    depth,
                    reason(agent, call, depth)));
        }
        runs.add(tx, added);
        tx.afterCommit(due::raise);
    }

    /**
     * The depth of the run that wrote the post, or of the one that it replies to where an agent elsewhere wrote it.
     *
     * @param underWay the greatest depth of the author's runs that may have written it and have not noted it yet
     */
    private static int before(Call call, Map<PostId, Integer> depths, int underWay) {
        var own = depths.get(call.post());
        var parent = call.parent();
        return own != null ? own : Math.max(underWay, parent == null ? 0 : depths.getOrDefault(parent, 0));
    }

    private @Nullable Reason reason(Agent agent, Call call, int depth) {
        if (depth >= config.maxDepth()) {
            return Reason.DEPTH;
        }
        return agent.allows(call.author()) ? null : Reason.CALLER;
    }
}
