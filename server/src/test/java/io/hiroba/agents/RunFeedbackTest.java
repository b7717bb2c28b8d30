package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentStatistics.CauseCount;
import io.hiroba.agents.AgentStatistics.Range;
import io.hiroba.agents.AgentStatistics.RunCounts;
import io.hiroba.agents.AgentStatistics.SpanCounts;
import io.hiroba.agents.AgentStatisticsStore.Look;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.agents.RunFeedbackStore.Feedback;
import io.hiroba.agents.RunFeedbackStore.ThumbCounts;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostId;
import io.hiroba.testkit.TestSocial;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Feedback on replies of agents: one a person, from those who may read them; and the statistics of runs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunFeedbackTest {

    private final TestSocial social = new TestSocial();
    private final WakeSignal due = new WakeSignal();
    private final Agents agents = new Agents(
            social.db, social.accounts.users, social.accounts.aiModels, social.accounts.module.audit(), Set.of());
    private final RunFeedback feedback = new RunFeedback(social.db, new RunPlaces(social.posts, social.messages));
    private final Caller ann = social.person("Ann");
    private final Caller bob = social.person("Bob");
    private final Caller admin = Caller.server(social.person("Admin").user());
    private final UserId agent;
    private final AgentRunWorker worker;

    RunFeedbackTest() {
        var config = new AgentsConfig(true, 3, 1, 0, 0, 0);
        social.consume(AgentWaker.CONSUMER, new AgentWaker(social.accounts.lease.ids(), config, due));
        agent = agents.create(admin, new Settings("Kiki", "librarian", null, null, null, null, null, null, null))
                .agent()
                .id();
        worker = new AgentRunWorker(new AgentRunWorker.Parts(
                social.db,
                social.accounts.users,
                new RunPlaces(social.posts, social.messages),
                social.accounts.module.aiActions(),
                agents,
                (claim, found, question) -> new RunOutcome.Answered("At nine."),
                due));
    }

    @AfterAll
    void close() {
        social.close();
    }

    private PostId reply() throws InterruptedException {
        return reply("Kiki", agent);
    }

    private PostId reply(String name, UserId answering) throws InterruptedException {
        social.post(ann, "@" + name + " when?");
        social.settle();
        assertThat(worker.runOne()).isTrue();
        var reply =
                agents.runs(admin, answering, Optional.empty(), 1).getFirst().reply();
        assertThat(reply).isNotNull();
        return reply;
    }

    @Test
    void aPersonHasOneWhichCanBeChangedAndRemoved() throws InterruptedException {
        var reply = reply();
        var before = feedback.tally(agent);
        feedback.put(ann, reply, true, " Just right\u0000 ");
        feedback.put(ann, reply, false, "Wrong after all");
        var summary = feedback.put(bob, reply, true, "");
        assertThat(summary.tally()).isEqualTo(new ThumbCounts(1, 1));
        assertThat(summary.mine().map(Feedback::good)).contains(true);
        assertThat(summary.comments()).as("for admins alone").isEmpty();
        assertThat(feedback.of(admin, reply).comments().stream().map(Feedback::comment))
                .containsExactly("Wrong after all");
        assertThat(feedback.tally(agent)).isEqualTo(new ThumbCounts(before.up() + 1, before.down() + 1));
        feedback.remove(ann, reply);
        feedback.remove(ann, reply);
        assertThat(feedback.of(ann, reply).tally()).isEqualTo(new ThumbCounts(1, 0));
        assertThat(feedback.of(ann, reply).mine()).isEmpty();
    }

    @Test
    void onlyRepliesOfAgentsThatOneMayReadAreRatedAndNobodyRatesThemselves() throws InterruptedException {
        var reply = reply();
        var post = social.post(ann, "No reply of an agent");
        refused(bob, post, "agents.reply-not-found");
        refused(bob, new PostId(1), "agents.reply-not-found");
        refused(Librarian.member(agent), reply, "agents.own-reply");
        var carol = social.person("Carol");
        social.follows.block(carol, agent);
        refused(carol, reply, "agents.reply-not-found");
        assertThatThrownBy(() -> feedback.put(ann, reply, true, "x".repeat(1_001)))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo("agents.invalid"));
    }

    private void refused(Caller caller, PostId post, String code) {
        assertThatThrownBy(() -> feedback.put(caller, post, true, ""))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    @Test
    void itGoesWithTheAgent() throws InterruptedException {
        var other = agents.create(admin, new Settings("Mimi", "librarian", null, null, null, null, null, null, null))
                .agent()
                .id();
        var reply = reply("Mimi", other);
        feedback.put(bob, reply, true, "");
        assertThat(feedback.tally(other)).isEqualTo(new ThumbCounts(1, 0));
        agents.delete(admin, other);
        assertThat(feedback.tally(other)).isEqualTo(ThumbCounts.NONE);
        assertThat(feedback.find(bob, reply))
                .as("the post stays, and nothing to rate")
                .isEmpty();
    }

    private void run(UserId of, int number, Duration ago, String state, @Nullable String reason, int seconds) {
        var at = Instant.now().minus(ago);
        social.db.useTransaction(tx -> tx.update("""
                        INSERT INTO agents.runs (id, agent_id, post_id, caller_id, woken_by, depth, state, reason, cost, tokens_in,
                                                 created_at, ended_at)
                        VALUES (:id, :agent, :id, :caller, 'mention', 0, :state, :reason, 0.5, 100, :at, :end)
                        """)
                .bind("id", Ids.lowestAt(at) + number)
                .bind("agent", of.value())
                .bind("caller", ann.user().value())
                .bind("state", state)
                .bind("reason", reason)
                .bind("at", at)
                .bind("end", at.plusSeconds(seconds))
                .execute());
    }

    @Test
    void runsCostsLatenciesFailuresAndThumbsOfATimeAreCountedForAdminsAndOwners() {
        var counted = agents.create(admin, new Settings("Count", "librarian", null, null, null, null, null, null, null))
                .agent()
                .id();
        for (int i = 1; i <= 20; i++) {
            run(counted, i, Duration.ofHours(1), "answered", null, i);
        }
        run(counted, 21, Duration.ofHours(5), "failed", "budget", 1);
        run(counted, 22, Duration.ofHours(5), "failed", "budget", 1);
        run(counted, 23, Duration.ofHours(5), "refused", "depth", 0);
        run(counted, 24, Duration.ofDays(3), "stopped", null, 0);
        social.db.useTransaction(tx -> tx.update("""
                INSERT INTO agents.feedback (run_id, user_id, agent_id, good)
                SELECT id, :user, agent_id, tokens_in = 100 FROM agents.runs WHERE agent_id = :agent AND state = 'failed'
                """)
                .bind("user", bob.user().value())
                .bind("agent", counted.value())
                .execute());
        var statistics = new AgentStatistics(social.db, Clock.systemUTC());
        var day = statistics.of(admin, Range.DAY);
        var figures = day.agents().stream()
                .filter(each -> each.name().equals("Count"))
                .findFirst()
                .orElseThrow();
        assertThat(figures.totals().counts()).isEqualTo(new RunCounts(23, 20, 1, 2, 0, 0));
        assertThat(figures.totals().p50()).isCloseTo(10.5, within(0.01));
        assertThat(figures.totals().p95()).isCloseTo(19.05, within(0.01));
        assertThat(figures.totals().cost()).isEqualByComparingTo("11.5");
        assertThat(figures.totals().tokens()).isEqualTo(2_300);
        assertThat(figures.thumbs()).isEqualTo(new ThumbCounts(2, 0));
        assertThat(day.causes()).startsWith(new CauseCount("failed", "budget", 2));
        assertThat(day.spans()).hasSize(24);
        assertThat(day.spans().stream().mapToLong(SpanCounts::all).sum())
                .isEqualTo(day.all().totals().counts().runs());
        assertThat(day.limited()).isFalse();
        assertThat(statistics.of(admin, Range.WEEK).all().totals().counts().stopped())
                .isEqualTo(1);

        assertThat(statistics.of(ann, Range.MONTH).all().totals().counts().runs())
                .as("who called it is not its owner")
                .isZero();
        social.db.useTransaction(tx -> tx.update("UPDATE agents.agents SET owner_id = :owner WHERE user_id = :id")
                .bind("owner", ann.user().value())
                .bind("id", counted.value())
                .execute());
        var own = statistics.of(ann, Range.DAY);
        assertThat(own.agents()).hasSize(1);
        assertThat(own.all().totals().counts().runs()).isEqualTo(23);
        var bounded = new AgentStatistics(social.db, Clock.systemUTC(), 5);
        assertThat(bounded.of(admin, Range.DAY).all().totals().counts().runs()).isEqualTo(5);
        assertThat(bounded.of(admin, Range.DAY).limited()).isTrue();
        assertThat(bounded.of(ann, Range.DAY).limited()).isTrue();
    }

    @Test
    void aLookAtRunsIsAPartOfAnIndex() {
        for (var of : Arrays.asList(null, List.of(agent))) {
            var look = new Look(Range.DAY, Instant.now().minus(Duration.ofDays(1)), of, 10);
            var plan = social.db.inTransaction(tx -> {
                tx.update("SET LOCAL enable_seqscan = off").execute();
                return look.query(tx, "EXPLAIN ", AgentStatisticsStore.TOTALS)
                        .bind("shown", 10)
                        .mapTo(String.class)
                        .list();
            });
            assertThat(String.join("\n", plan))
                    .containsPattern("Index Scan Backward using (runs_pkey|idx_runs_agent_id) on runs")
                    .doesNotContain("Seq Scan on runs");
        }
    }
}
