package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.AgentRunWorker.Parts;
import io.hiroba.agents.AgentRunWorker.Thinker;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.TestSocial;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Steps of sagas that ask agents: one run and one answer, wherever nodes die. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentStepsTest {

    private final TestSocial social = new TestSocial();
    private final WakeSignal due = new WakeSignal();
    private final Agents agents = new Agents(
            social.db, social.accounts.users, social.accounts.aiModels, social.accounts.module.audit(), Set.of());
    private final AgentSteps steps = new AgentSteps(social.db, social.accounts.lease.ids(), agents, due);
    private final AtomicInteger count = new AtomicInteger();
    private final Caller ann = social.person("Ann");
    private final Caller admin = Caller.server(ann.user());
    private final UUID saga = UUID.randomUUID();
    private final Set<String> unwanted = ConcurrentHashMap.newKeySet();
    private Duration timeout = Duration.ofMinutes(1);
    private volatile boolean stopping;
    private UserId agent = new UserId(0);
    private String name = "";

    AgentStepsTest() {
        steps.connect(
                id -> id.equals(saga) ? Optional.of(ann.user()) : Optional.empty(),
                (reads, keys) ->
                        keys.stream().filter(key -> !unwanted.contains(key)).collect(Collectors.toSet()));
    }

    /** A node that dies does nothing any more. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    @BeforeEach
    void makeAgent() {
        timeout = Duration.ofMinutes(1);
        stopping = false;
        name = "Stepper" + count.incrementAndGet();
        agent = made(name, null, null);
    }

    private UserId made(String nickname, @Nullable List<String> wake, @Nullable List<String> callers) {
        return agents.create(admin, new Settings(nickname, "librarian", null, null, null, wake, callers, null, null))
                .agent()
                .id();
    }

    @AfterAll
    void close() {
        social.close();
    }

    private AgentRunWorker node(Thinker thinker, Consumer<String> faults) {
        return new AgentRunWorker(
                new Parts(
                        social.db,
                        social.accounts.users,
                        new RunPlaces(social.posts, social.messages),
                        social.accounts.module.aiActions(),
                        agents,
                        thinker,
                        due),
                faults);
    }

    private AgentRunWorker node() {
        return node((claim, found, question) -> new RunOutcome.Answered("{\"team\":\"sales\"}"), point -> {});
    }

    private LocalSagaStep.Call call(String nickname) {
        var input =
                JsonMapper.shared().createObjectNode().put("nickname", nickname).put("prompt", "Which team?");
        return new LocalSagaStep.Call(saga, saga + ":" + nickname + ":EXECUTE", input, timeout, () -> stopping);
    }

    private Future<JsonNode> asked(String nickname) {
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        var asked = threads.submit(() -> steps.step().body().apply(call(nickname)));
        threads.shutdown();
        return asked;
    }

    private void awaitRun() throws InterruptedException {
        while (agents.runs(admin, agent, Optional.empty(), 10).isEmpty()) {
            Thread.sleep(5);
        }
    }

    private void endClaims() {
        social.db.useTransaction(tx -> tx.update("UPDATE agents.runs SET due_at = now() WHERE due_at IS NOT NULL")
                .execute());
    }

    @ParameterizedTest
    @ValueSource(strings = {"claimed", "thought", "posted", "noted", "ended"})
    void aNodeThatDiesAnywhereLeavesOneAnswer(String deadly) throws Exception {
        var first = asked(name);
        awaitRun();
        var dying = node((claim, found, question) -> new RunOutcome.Answered("{\"team\":\"sales\"}"), point -> {
            if (point.equals(deadly)) {
                throw new Death();
            }
        });
        assertThatThrownBy(dying::runOne).isInstanceOf(Death.class);
        // The saga's node dies as well, and another one makes the call again.
        var again = asked(name);
        endClaims();
        assertThat(node().runOne()).isEqualTo(!deadly.equals("ended"));
        assertThat(node().runOne()).isFalse();
        assertThat(again.get().toString()).isEqualTo("{\"team\":\"sales\"}");
        assertThat(first.get()).isEqualTo(again.get());
        assertThat(asked(name).get()).isEqualTo(again.get());
        var runs = agents.runs(admin, agent, Optional.empty(), 10);
        assertThat(runs).hasSize(1);
        assertThat(runs.getFirst().state()).isEqualTo(State.ANSWERED);
        assertThat(runs.getFirst().caller()).isEqualTo(ann.user());
    }

    @Test
    void attemptsAtOnceAskOnce() throws Exception {
        var all = IntStream.range(0, 6).mapToObj(i -> asked(name)).toList();
        awaitRun();
        assertThat(node().runOne()).isTrue();
        for (var each : all) {
            assertThat(each.get().path("team").asString()).isEqualTo("sales");
        }
        assertThat(agents.runs(admin, agent, Optional.empty(), 10)).hasSize(1);
    }

    @Test
    void aRunThatFailsFailsTheStepForGood() throws Exception {
        var asked = asked(name);
        awaitRun();
        assertThat(node((claim, found, question) -> new RunOutcome.Failed(Reason.TURNS), point -> {})
                        .runOne())
                .isTrue();
        assertThatThrownBy(asked::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(LocalSagaStep.Refusal.class);
    }

    private State runState() {
        return agents.runs(admin, agent, Optional.empty(), 10).getFirst().state();
    }

    private static void assertRefused(Future<JsonNode> asked, String reason) {
        assertThatThrownBy(() -> asked.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        LocalSagaStep.Refusal.class,
                        refusal -> assertThat(refusal.reason().in(Language.ENGLISH))
                                .contains(reason));
    }

    @Test
    void theRunOfAStepThatIsNotWaitedForIsStopped() throws Exception {
        var asked = asked(name);
        awaitRun();
        unwanted.add(call(name).key());
        assertRefused(asked, "does not wait");
        assertThat(runState()).isEqualTo(State.STOPPED);
    }

    @Test
    void theTimeOfAStepIsThatOfAllItsAttempts() throws Exception {
        timeout = Duration.ofMillis(300);
        assertRefused(asked(name), "within 300ms");
        assertThat(runState()).isEqualTo(State.STOPPED);
        assertRefused(asked(name), "Stopped");
    }

    @Test
    void aNodeThatStopsLeavesTheStepToAnother() throws Exception {
        var asked = asked(name);
        awaitRun();
        stopping = true;
        assertThatThrownBy(() -> asked.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(LocalSagaStep.Left.class);
        steps.stopUnawaited();
        assertThat(runState()).as("its saga waits").isEqualTo(State.WAITING);
        unwanted.add(call(name).key());
        steps.stopUnawaited();
        assertThat(runState())
                .as("nobody waits, and nobody was there to say so")
                .isEqualTo(State.STOPPED);
    }

    @Test
    void aPauseFailsAStepAtOnce() throws Exception {
        var asked = asked(name);
        awaitRun();
        var pauses = new AgentPauses(social.db, Clock.systemUTC(), social.accounts.module.audit(), due);
        pauses.pause(admin, agent, false);
        assertRefused(asked, "paused");
        assertThat(runState()).isEqualTo(State.STOPPED);
        var other = new LocalSagaStep.Call(saga, saga + ":7:EXECUTE", call(name).input(), timeout, () -> false);
        assertThatThrownBy(() -> steps.step().body().apply(other)).isInstanceOf(LocalSagaStep.Refusal.class);
        assertThat(agents.runs(admin, agent, Optional.empty(), 10)).hasSize(1);
    }

    @Test
    void manyStepsOfOneCallerAreCarriedOutAtOnce() throws Exception {
        for (int i = 0; i < 4; i++) {
            var each = made(name + "x" + i, null, null);
            asked(name + "x" + i);
            while (agents.runs(admin, each, Optional.empty(), 1).isEmpty()) {
                Thread.sleep(5);
            }
        }
        var store = new AgentRunStore();
        for (int i = 0; i < 4; i++) {
            assertThat(social.db.inStatement(store::claim)).as("claim " + i).isPresent();
        }
        endClaims();
        for (int i = 0; i < 4; i++) {
            assertThat(node().runOne()).isTrue();
        }
    }

    @Test
    void whoCannotBeAskedIsRefused() {
        made(name + "Deaf", List.of("mention"), null);
        made(name + "Closed", null, List.of(social.person("Bob").user().hex()));
        for (var nickname : List.of("Nobody at all", name + "Deaf", name + "Closed")) {
            assertThatThrownBy(() -> steps.step().body().apply(call(nickname)))
                    .as(nickname)
                    .isInstanceOf(LocalSagaStep.Refusal.class);
        }
        var form = call(name).input().deepCopy();
        ((ObjectNode) form).putArray("answer").addObject().put("name", "sure").put("type", "boolean");
        assertThatThrownBy(() -> steps.step()
                        .body()
                        .apply(new LocalSagaStep.Call(saga, saga + ":form:EXECUTE", form, timeout, () -> stopping)))
                .isInstanceOfSatisfying(
                        LocalSagaStep.Refusal.class,
                        refusal -> assertThat(refusal.reason().toString()).contains("forms of one text only"));
        var stranger =
                new LocalSagaStep.Call(UUID.randomUUID(), "other", call(name).input(), timeout, () -> false);
        assertThatThrownBy(() -> steps.step().body().apply(stranger)).isInstanceOf(LocalSagaStep.Refusal.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'team':'sales'}                          | ''",
                "{'team':'sales','due':'2026-01-31','n':3} | ''",
                "```json {'team':'sales'} ```              | ''",
                "sales                                     | It is no JSON object.",
                "[]                                        | It is no JSON object.",
                "{}                                        | team is missing.",
                "{'team':'kitchen'}                        | team: choice",
                "{'team':'sales','due':'soon'}             | due: a date",
                "{'team':'sales','n':'three'}              | n: number",
            })
    void anAnswerIsCheckedAgainstItsForm(String answer, String problem) {
        var form = AnswerForm.of(JsonMapper.shared().readTree("""
                [{"name": "team", "type": "choice", "options": ["sales", "support"], "required": true},
                 {"name": "due", "type": "date"}, {"name": "n", "type": "number"}]
                """));
        var checked = form.check(answer.replace('\'', '"'));
        assertThat(checked.answer() == null).isEqualTo(!problem.isEmpty());
        assertThat(checked.problem()).contains(problem);
        assertThat(AnswerForm.of(JsonMapper.shared().readTree(form.json()))).isEqualTo(form);
    }
}
