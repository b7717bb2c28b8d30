package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.agents.model.ModelClient;
import io.hiroba.agents.model.ModelFailure;
import io.hiroba.agents.model.ModelMessage.ToolCall;
import io.hiroba.agents.model.ModelRequest;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import io.hiroba.agents.model.ModelTurn;
import io.hiroba.agents.model.ModelTurn.StandIn;
import io.hiroba.agents.model.ModelTurn.StopReason;
import io.hiroba.agents.remote.ToolServersConfig;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.mcp.ApiTools.Effect;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostDraft;
import io.hiroba.testkit.TestSocial;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** An agent with a scripted model and tools that change something, for one test after the other. */
final class ActingAgent implements AutoCloseable {

    static final String SMALL = "posts_create";
    static final String LARGE = "sagas_start";
    private static final AgentsConfig CONFIG = new AgentsConfig(
            true, 2, 1, 0, 0, 0, 0, Duration.ofHours(1), 3, 5, Duration.ofDays(365), ToolServersConfig.USUAL);

    final TestSocial social = new TestSocial();
    private final WakeSignal due = new WakeSignal();
    private final AtomicInteger count = new AtomicInteger();
    final Caller ann = social.person("Ann");
    final Caller bob = social.person("Bob");
    final Caller admin = Caller.server(social.person("Admin").user());
    final Agents agents;
    final AgentApprovals approvals;
    final Deque<ModelClient> script = new ArrayDeque<>();
    final List<ModelRequest> requests = new ArrayList<>();
    final FakeTools tools = new FakeTools();
    private final List<String> names;
    private final AgentTools used;
    Function<UserId, Optional<Duration>> quietFor = agent -> Optional.empty();
    List<StandIn> standIns = List.of();

    /** The models that agents may run on. */
    Predicate<String> runsOn = model -> true;

    UserId agent = new UserId(0);
    String name = "";

    ActingAgent() {
        this(List.of(SMALL, LARGE), null);
    }

    /** @param other makes the tools that it has instead of those of its own */
    ActingAgent(List<String> names, @Nullable Function<TestSocial, AgentTools> other) {
        this.names = names;
        this.used = other == null ? tools : other.apply(social);
        this.agents = new Agents(
                social.db,
                social.accounts.users,
                social.accounts.aiModels,
                social.accounts.module.audit(),
                Set.copyOf(names));
        this.approvals = new AgentApprovals(
                social.db,
                Clock.systemUTC(),
                social.accounts.module.audit(),
                due,
                agents,
                new RunPlaces(social.posts, social.messages));
        social.consume(AgentWaker.CONSUMER, new AgentWaker(social.accounts.lease.ids(), CONFIG, due));
        social.accounts.aiModels.save(admin, new AiModel("scripted", BigDecimal.ONE, BigDecimal.ONE, ""));
    }

    /** A node that dies does nothing any more. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Tools of a server that makes each change once for its key. */
    final class FakeTools implements AgentTools {

        final Map<String, String> made = new ConcurrentHashMap<>();
        volatile boolean refuses;
        volatile boolean breaks;

        @Override
        public List<ToolDefinition> definitions(List<String> names) {
            return List.of();
        }

        @Override
        public ToolAnswer use(String tool, String input, UserId agent, UserId caller) {
            return new ToolAnswer("read", false);
        }

        @Override
        public Effect effect(String tool) {
            return tool.equals(SMALL) ? Effect.SMALL : Effect.LARGE;
        }

        @Override
        public Optional<String> arguments(String input) {
            return Optional.of(input).filter(text -> text.startsWith("{"));
        }

        @Override
        public ToolAnswer check(Change change) {
            return refuses ? new ToolAnswer("Forbidden", true) : new ToolAnswer("{}", false);
        }

        @Override
        public ToolAnswer change(Change change) {
            if (refuses) {
                return check(change);
            }
            if (breaks) {
                return new ToolAnswer("500", true, true);
            }
            return new ToolAnswer(made.computeIfAbsent(change.key(), key -> make(change)), false);
        }

        private String make(Change change) {
            var content =
                    JsonMapper.shared().readTree(change.input()).path("content").asString("");
            if (content.isEmpty()) {
                return change.input();
            }
            var post = social.posts.create(Librarian.member(change.agent()), PostDraft.of(content));
            return "{\"id\":\"" + post.card().id().hex() + "\"}";
        }
    }

    /** An agent of its own for a test. */
    void begin() {
        social.settle();
        social.db.useTransaction(tx -> tx.update("""
                UPDATE agents.runs SET state = 'stopped', due_at = NULL, ended_at = now(), fence = 0 WHERE due_at IS NOT NULL
                """).execute());
        script.clear();
        standIns = List.of();
        runsOn = model -> true;
        requests.clear();
        tools.made.clear();
        tools.refuses = false;
        tools.breaks = false;
        name = "Actor" + count.incrementAndGet();
        agent = agent(name);
    }

    UserId agent(String nickname) {
        return agents.create(admin, new Settings(nickname, "scripted", null, null, names, null, null, null, null))
                .agent()
                .id();
    }

    @Override
    public void close() {
        social.close();
    }

    AgentRunWorker node(Consumer<String> faults) {
        var accounts = social.accounts;
        var ids = accounts.lease.ids();
        var sessions = new ChatSessions(social.db, ids, Clock.systemUTC(), new SourceWriter(ids, Clock.systemUTC()));
        var models = new ModelRuns(new ModelRuns.Parts(
                social.db,
                Clock.systemUTC(),
                accounts.aiModels,
                accounts.module.aiActions(),
                new RunContext(
                        social.db,
                        new RunPlaces(social.posts, social.messages),
                        sessions,
                        (question, text) -> List.of()),
                used,
                model -> Optional.of(new Scripted()),
                CONFIG,
                new RunTools(
                        new RunTools.Parts(
                                social.db, ids, accounts.users, agents, accounts.module.aiActions(), used, CONFIG),
                        faults),
                new RunDrafts(social.db, new CommitSignal()),
                (_, model) -> runsOn.test(model)));
        return new AgentRunWorker(new AgentRunWorker.Parts(
                social.db,
                accounts.users,
                new RunPlaces(social.posts, social.messages),
                accounts.module.aiActions(),
                agents,
                (claim, found, question) -> {
                    var quiet = quietFor.apply(agent);
                    return quiet.isPresent()
                            ? new RunOutcome.NotNow(quiet.get())
                            : models.run(claim, found, question, "scripted");
                },
                due));
    }

    /** The model of the script, with those that stand in for it. */
    private final class Scripted implements ModelClient {

        @Override
        public ModelTurn call(ModelRequest request, Consumer<String> onText) throws ModelFailure, InterruptedException {
            return next(request, onText);
        }

        @Override
        public List<StandIn> standIns() {
            return standIns;
        }

        @Override
        public ModelClient withStandIns(Predicate<StandIn> allowed) {
            standIns = standIns.stream().filter(allowed).toList();
            return this;
        }
    }

    private synchronized ModelTurn next(ModelRequest request, Consumer<String> onText)
            throws ModelFailure, InterruptedException {
        requests.add(request);
        return script.remove().call(request, onText);
    }

    static ModelClient says(String text) {
        return (request, onText) -> new ModelTurn(text, List.of(), StopReason.END, 10, 10);
    }

    static ModelClient asksFor(String... toolsAndInputs) {
        var calls = IntStream.range(0, toolsAndInputs.length / 2)
                .mapToObj(i -> new ToolCall("c" + i, toolsAndInputs[2 * i], toolsAndInputs[2 * i + 1]))
                .toList();
        return (request, onText) -> new ModelTurn("", calls, StopReason.TOOLS, 10, 10);
    }

    void asked(ModelClient... turns) {
        script.addAll(List.of(turns));
        social.post(ann, "@" + name + " please do.");
        social.settle();
    }

    boolean work() throws InterruptedException {
        return node(point -> {}).runOne();
    }

    void dieAt(String deadly) {
        var node = node(point -> {
            if (point.equals(deadly)) {
                throw new Death();
            }
        });
        assertThatThrownBy(node::runOne).isInstanceOf(Death.class);
        endClaims();
    }

    void endClaims() {
        social.db.useTransaction(
                tx -> tx.update("UPDATE agents.runs SET due_at = now() WHERE state IN ('waiting', 'running')")
                        .execute());
    }

    AgentRun run() {
        return agents.runs(admin, agent, Optional.empty(), 1).getFirst();
    }

    String reply() {
        var reply = run().reply();
        return reply == null ? "" : social.posts.get(ann.user(), reply).content();
    }

    String told() {
        return requests.getLast().messages().toString();
    }

    List<Long> open() {
        return social.db.read(reads ->
                reads.query("""
                        SELECT a.id FROM agents.actions a JOIN agents.runs r ON r.id = a.run_id
                        WHERE r.agent_id = :agent AND a.state = 'open' ORDER BY a.id
                        """).bind("agent", agent.value()).mapTo(Long.class).list());
    }

    List<String> events(long approval) {
        return social.db.read(reads -> reads.query("""
                        SELECT payload ->> 'type' || ' ' || (payload ->> 'state') FROM platform.event_logs
                        WHERE payload ->> 'approvalId' = :id ORDER BY event_id
                        """)
                .bind("id", "%016X".formatted(approval))
                .mapTo(String.class)
                .list());
    }

    long waiting(String input) throws InterruptedException {
        return waiting(LARGE, input);
    }

    long waiting(String tool, String input) throws InterruptedException {
        asked(asksFor(tool, input), says("Ended."));
        assertThat(work()).isTrue();
        assertThat(run().state()).isEqualTo(State.APPROVAL);
        assertThat(open()).hasSize(1);
        return open().getFirst();
    }
}
