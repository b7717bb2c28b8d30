package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.agents.RunFeedbackStore.Feedback;
import io.hiroba.agents.RunFeedbackStore.ThumbCounts;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostId;
import io.hiroba.testkit.TestSocial;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Feedback on replies of agents: one a person, from those who may read them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunFeedbackTest {

    private final TestSocial social = new TestSocial();
    private final WakeSignal due = new WakeSignal();
    private final Agents agents = new Agents(
            social.db, social.accounts.users, social.accounts.aiModels, social.accounts.module.audit(), Set.of());
    private final RunFeedback feedback = new RunFeedback(social.db, social.posts);
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
}
