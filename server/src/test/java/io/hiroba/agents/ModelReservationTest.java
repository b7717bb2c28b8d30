package io.hiroba.agents;

import static io.hiroba.agents.ActingAgent.SMALL;
import static io.hiroba.agents.ActingAgent.asksFor;
import static io.hiroba.agents.ActingAgent.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.Agents.LimitSettings;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.agents.model.ModelClient;
import io.hiroba.agents.model.ModelFailure;
import io.hiroba.agents.model.ModelFailure.Tokens;
import io.hiroba.agents.model.ModelTurn;
import io.hiroba.agents.model.ModelTurn.StandIn;
import io.hiroba.agents.model.ModelTurn.StopReason;
import io.hiroba.platform.problem.Problem;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls of a model that are answered strangely: what they are counted for, and how the run goes on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ModelReservationTest {

    private final ActingAgent it = new ActingAgent();

    @BeforeEach
    void begin() {
        it.begin();
    }

    @AfterAll
    void close() {
        it.close();
    }

    /** The note of the agent's first call of its model. */
    private JsonNode note() {
        return it.social.db.read(
                reads -> reads.query("SELECT payload FROM accounts.ai_actions WHERE user_id = :id ORDER BY id LIMIT 1")
                        .bind("id", it.agent.value())
                        .map(row -> JsonMapper.shared().readTree(row.getString("payload")))
                        .one());
    }

    @Test
    void moreThanWasReservedIsNotBelieved() throws InterruptedException {
        it.asked((request, onText) ->
                new ModelTurn("Good.", List.of(), StopReason.END, 1_000_000_000_000_000L, 5_000_000));
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).isEqualTo("Good.");
        assertThat(it.run().usage().tokensOut()).isEqualTo(2_048);
        assertThat(it.run().usage().tokensIn()).isBetween(1L, 100_000L);
        assertThat(note().path("reportedIn").asLong()).isEqualTo(1_000_000_000_000_000L);
        assertThat(note().path("reportedOut").asLong()).isEqualTo(5_000_000);
        long booked = it.social.db.read(
                reads -> reads.query("SELECT tokens FROM agents.usage WHERE kind = 'agent' AND subject = :id")
                        .bind("id", it.agent.value())
                        .mapTo(Long.class)
                        .one());
        assertThat(booked)
                .isEqualTo(it.run().usage().tokensIn() + it.run().usage().tokensOut());
    }

    @Test
    void onlyAModelThatTheAgentMayRunOnStandsInAndIsReservedFor() throws InterruptedException {
        it.social.accounts.aiModels.save(
                it.admin, new AiModel("dear-1", new BigDecimal(3000), new BigDecimal(5000), ""));
        it.standIns =
                List.of(new StandIn("spare", "unpriced"), new StandIn("dear", "dear-1"), new StandIn("small", "x"));
        it.runsOn = model -> model.equals("scripted") || model.equals("small");
        limitAnyhow(1_000_000, new BigDecimal("0.1"));
        it.asked(says("By itself."));
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).as("the dear one would be over the budget").isEqualTo("By itself.");
        assertThat(it.standIns).containsExactly(new StandIn("small", "x"));
        it.runsOn = model -> !model.equals("scripted");
        it.asked(says("Not asked."));
        assertThat(it.work()).isTrue();
        assertThat(it.run().reason()).isEqualTo(Reason.NO_MODEL);
        assertThat(it.script).hasSize(1);
    }

    @Test
    void aCallWithoutAnAnswerTakesWhatItsServiceReports() throws InterruptedException {
        it.asked(
                (request, onText) -> {
                    throw new ModelFailure("The model answered nothing", true, null, null).having(new Tokens(40, 2));
                },
                says("Now."));
        assertThat(it.work()).isTrue();
        assertThat(it.run().state()).isEqualTo(State.WAITING);
        assertThat(it.run().usage().tokensIn()).isEqualTo(40);
        assertThat(it.run().usage().tokensOut()).isEqualTo(2);
        assertThat(note().has("reportedIn")).isFalse();
    }

    private long booked() {
        return it.social.db.read(reads ->
                reads.query("""
                        SELECT coalesce(sum(tokens), 0) FROM agents.usage WHERE kind = 'agent' AND subject = :id
                        """).bind("id", it.agent.value()).mapTo(Long.class).one());
    }

    private void limit(LimitSettings limits) {
        it.agents.update(it.admin, it.agent, new Settings(null, null, null, null, null, null, null, limits, null));
    }

    private void refused(String field, LimitSettings limits) {
        assertThatThrownBy(() -> limit(limits)).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.fields().getFirst().field()).isEqualTo(field);
            assertThat(problem.getMessage()).contains("at least");
        });
    }

    /** As of before such bounds were refused. */
    private void limitAnyhow(long tokens, @Nullable BigDecimal cost) {
        it.social.db.useTransaction(tx -> tx.update(
                        "UPDATE agents.agents SET daily_tokens = :tokens, daily_cost = :cost WHERE user_id = :id")
                .bind("tokens", tokens)
                .bind("cost", cost)
                .bind("id", it.agent.value())
                .execute());
    }

    @Test
    void aBudgetThatNoCallFitsInIsRefusedAndNoCallIsMadeThatABudgetMightNotHold() throws InterruptedException {
        limit(new LimitSettings(null, null, 5_000L, null));
        it.asked(says("First."));
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).isEqualTo("First.");
        refused("limits.dailyTokens", new LimitSettings(null, null, 1_000L, null));
        limitAnyhow(1_000, null);
        it.asked(says("Second."));
        assertThat(it.work()).isTrue();
        assertThat(it.run().reason()).isEqualTo(Reason.BUDGET);
        assertThat(it.script).hasSize(1);
        refused("limits.dailyCost", new LimitSettings(null, null, 5_000L, new BigDecimal("0.000001")));
        limitAnyhow(5_000, new BigDecimal("0.000001"));
        it.asked();
        assertThat(it.work()).isTrue();
        assertThat(it.run().reason()).isEqualTo(Reason.BUDGET);
        assertThat(booked()).isEqualTo(20);
    }

    private static ModelClient hangs(String... before) {
        return (request, onText) -> {
            List.of(before).forEach(onText);
            Thread.sleep(Duration.ofMinutes(5));
            throw new IllegalStateException("never");
        };
    }

    @Test
    void anOutageTakesNothing() throws InterruptedException {
        for (int attempt = 1; attempt <= 5; attempt++) {
            it.script.add((request, onText) -> {
                throw new ModelFailure("Answered with 429", true, null, null).having(429);
            });
        }
        it.asked();
        for (int attempt = 1; attempt <= 5; attempt++) {
            it.endClaims();
            assertThat(it.work()).isTrue();
        }
        assertThat(it.run().reason()).isEqualTo(Reason.RATE_LIMITED);
        assertThat(it.run().cause()).isEqualTo("Answered with 429");
        limit(new LimitSettings(null, 1, null, null));
        it.asked(hangs());
        assertThat(it.work()).isTrue();
        assertThat(it.run().reason()).isEqualTo(Reason.TIME);
        assertThat(booked()).isZero();
    }

    @Test
    void anAnswerThatBreaksOffTakesTheQuestionAndWhatWasReceived() throws InterruptedException {
        limit(new LimitSettings(null, 1, null, null));
        it.asked(hangs("Half an answer"));
        assertThat(it.work()).isTrue();
        long late = booked();
        assertThat(late).isBetween(200L, 1_500L);
        it.asked((request, onText) -> {
            it.agents.stop(it.ann, it.agent, it.run().id());
            return hangs().call(request, onText);
        });
        assertThat(it.work()).isTrue();
        long stopped = booked();
        assertThat(stopped).as("whoever stops has asked").isBetween(late + 200, late + 1_500);
        it.asked((request, onText) -> {
            throw new ModelFailure("breaks off", false, null, null).having(new Tokens(40, 2));
        });
        assertThat(it.work()).isTrue();
        assertThat(booked()).isEqualTo(stopped + 42);
    }

    @Test
    void argumentsThatAreNoObjectAreAnsweredWithAnError() throws InterruptedException {
        it.asked(asksFor(SMALL, "content: Hello"), says("Then not."));
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).isEqualTo("Then not.");
        assertThat(it.told()).contains("The arguments must be one JSON object.");
        assertThat(it.tools.made).isEmpty();
        assertThat(it.run().usage().turns()).isEqualTo(2);
    }

    @Test
    void anAnswerThatIsCutSaysSo() throws InterruptedException {
        it.asked((request, onText) -> new ModelTurn("The tide comes", List.of(), StopReason.LENGTH, 10, 2_048));
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).startsWith("The tide comes…").contains("My answer was cut off here");
    }

    @Test
    void aRunWhoseNodeStopsIsLeftToOthersAndLosesNothing() throws InterruptedException {
        var stopping = it.node(point -> {});
        it.asked(
                (request, onText) -> {
                    stopping.closing();
                    throw new ModelFailure("The connection to the model's service broke", true, null, null);
                },
                says("From another node."));
        assertThat(stopping.runOne()).isTrue();
        assertThat(it.run().state()).isEqualTo(State.WAITING);
        assertThat(it.run().attempts()).isZero();
        assertThat(stopping.runOne()).as("it takes none any more").isFalse();
        assertThat(it.work()).as("due at once").isTrue();
        assertThat(it.reply()).isEqualTo("From another node.");
    }

    @Test
    void thoseWhoMayNotCallAnAgentAreNotOfferedItInPlaceOfAnother() {
        var closed = new Agents.Settings(
                "Closed" + it.name,
                "scripted",
                null,
                null,
                null,
                null,
                List.of(it.bob.user().hex()),
                null,
                null);
        var other = it.agents.create(it.admin, closed).agent().id();
        assertThat(firstFor(it.ann)).isEqualTo(it.agent);
        assertThat(firstFor(it.bob)).isEqualTo(other);
    }

    private UserId firstFor(Caller caller) {
        var store = new AgentStore();
        var found = it.social.db.read(reads -> store.callable(reads, caller.user(), 1));
        return found.getFirst().id();
    }
}
