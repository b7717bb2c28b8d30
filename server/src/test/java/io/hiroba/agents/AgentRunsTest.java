package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.UserUpdate;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.AgentRunWorker.Parts;
import io.hiroba.agents.AgentRunWorker.Thinker;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostId;
import io.hiroba.social.SocialProblem;
import io.hiroba.testkit.TestSocial;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Runs that are carried out by nodes which die at any point, fall silent, or are told to stop. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentRunsTest {

    private static final AgentsConfig CONFIG = new AgentsConfig(true, 3, 1, 0, 0, 0);

    private final TestSocial social = new TestSocial();
    private final WakeSignal due = new WakeSignal();
    private final AgentRunStore store = new AgentRunStore();
    private final Agents agents = new Agents(
            social.db, social.accounts.users, social.accounts.aiModels, social.accounts.module.audit(), Set.of());
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger thoughts = new AtomicInteger();
    private final Caller ann = social.person("Ann");
    private final Caller admin = Caller.server(ann.user());
    private UserId agent = new UserId(0);
    private String name = "";

    AgentRunsTest() {
        social.consume(AgentWaker.CONSUMER, new AgentWaker(social.accounts.lease.ids(), CONFIG, due));
    }

    /** A node that dies does nothing any more. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    @BeforeEach
    void makeAgent() {
        name = "Agent" + count.incrementAndGet();
        thoughts.set(0);
        agent = agents.create(admin, new Settings(name, "librarian", null, null, null, null, null, null, null))
                .agent()
                .id();
    }

    @AfterAll
    void close() {
        social.close();
    }

    private AgentRunWorker node(Thinker thinker, Consumer<String> faults) {
        var accounts = social.accounts;
        return new AgentRunWorker(
                new Parts(
                        social.db,
                        accounts.users,
                        new RunPlaces(social.posts, social.messages),
                        accounts.module.aiActions(),
                        agents,
                        thinker,
                        due),
                faults);
    }

    private AgentRunWorker node() {
        return node(this::answer, point -> {});
    }

    private RunOutcome answer(AgentRunStore.ClaimedRun claim, Agents.Found found, Librarian.PostedQuestion question) {
        return new RunOutcome.Answered("Thought " + thoughts.incrementAndGet() + " of " + question.text());
    }

    private PostId asked() {
        var post = social.post(ann, "@" + name + " why?");
        social.settle();
        return post;
    }

    private void endClaims() {
        social.db.useTransaction(tx -> tx.update("UPDATE agents.runs SET due_at = now() WHERE due_at IS NOT NULL")
                .execute());
    }

    private AgentRun run() {
        var all = agents.runs(admin, agent, Optional.empty(), 10);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private long replies(PostId post) {
        return social.db.read(reads -> reads.query("SELECT count(*) FROM social.posts WHERE reply_to = :post")
                .bind("post", post.value())
                .mapTo(Long.class)
                .one());
    }

    @ParameterizedTest
    @ValueSource(strings = {"claimed", "thought", "posted", "noted", "ended"})
    void aNodeThatDiesAnywhereLeavesOneReply(String deadly) throws InterruptedException {
        var post = asked();
        var dying = node(this::answer, point -> {
            if (point.equals(deadly)) {
                throw new Death();
            }
        });
        assertThatThrownBy(dying::runOne).isInstanceOf(Death.class);
        assertThat(replies(post)).isEqualTo(deadly.equals("ended") ? 1 : 0);
        assertThat(node().runOne()).as("the claim has not ended").isFalse();
        endClaims();
        assertThat(node().runOne()).isEqualTo(!deadly.equals("ended"));
        assertThat(node().runOne()).isFalse();
        assertThat(replies(post)).isEqualTo(1);
        assertThat(run().state()).isEqualTo(State.ANSWERED);
        assertThat(run().reply()).isNotNull();
    }

    @Test
    void aNodeThatWasSilentForLongerThanItsClaimPostsNothing() throws InterruptedException {
        var post = asked();
        var silent = node(
                (claim, found, question) -> {
                    endClaims();
                    node().runOne();
                    return new RunOutcome.Answered("too late");
                },
                point -> {});
        assertThat(silent.runOne()).isTrue();
        assertThat(replies(post)).isEqualTo(1);
        assertThat(run().attempts()).isEqualTo(2);
        assertThat(social.posts.get(ann.user(), run().reply()).content()).startsWith("Thought 1");
    }

    @Test
    void nodesThatWorkAtOnceAnswerEachPostOnce() throws Exception {
        var posts = IntStream.range(0, 20)
                .mapToObj(i -> social.post(ann, "@" + name + " number " + i + "?"))
                .toList();
        social.settle();
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 4)
                    .mapToObj(i -> nodes.submit(() -> {
                        var node = node();
                        while (node.runOne()) {
                            Thread.yield();
                        }
                        return null;
                    }))
                    .toList();
            for (var each : running) {
                each.get();
            }
        }
        assertThat(posts).allSatisfy(post -> assertThat(replies(post)).isEqualTo(1));
        assertThat(thoughts).hasValue(20);
    }

    @Test
    void eventsThatComeAgainWakeNobodyTwice() {
        var post = asked();
        var payload = JsonMapper.shared()
                .createObjectNode()
                .put("type", "mention")
                .put("postId", post.hex())
                .put("userId", ann.user().hex())
                .put("mentionedUserId", agent.hex());
        var again = new Event(0, 1, payload);
        social.db.useTransaction(
                tx -> new AgentWaker(social.accounts.lease.ids(), CONFIG, due).handle(tx, List.of(again, again)));
        assertThat(run().post()).isEqualTo(post);
        agents.stop(ann, agent, run().id());
    }

    @Test
    void aRunThatIsStoppedWhileItThinksPostsNothing() throws InterruptedException {
        var post = asked();
        var node = node(
                (claim, found, question) -> {
                    agents.stop(ann, agent, claim.run().id());
                    return new RunOutcome.Answered("unwanted");
                },
                point -> {});
        assertThat(node.runOne()).isTrue();
        assertThat(replies(post)).isZero();
        assertThat(run().state()).isEqualTo(State.STOPPED);
        assertThatThrownBy(() -> agents.stop(ann, agent, run().id())).isInstanceOf(AgentsProblem.class);
    }

    @Test
    void aRunThatFailsAgainAndAgainSaysSo() throws InterruptedException {
        var post = asked();
        var failing = node(
                (claim, found, question) -> {
                    throw new IllegalStateException("broken");
                },
                point -> {});
        for (int i = 0; i < 5; i++) {
            endClaims();
            assertThat(failing.runOne()).isTrue();
        }
        assertThat(replies(post)).isEqualTo(1);
        assertThat(run().state()).isEqualTo(State.FAILED);
        assertThat(run().reason()).isEqualTo(Reason.GAVE_UP);
    }

    @Test
    void aPostThatIsGoneOrBlockedMeanwhileEndsTheRunWithoutAReply() throws InterruptedException {
        var post = asked();
        var node = node(
                (claim, found, question) -> {
                    social.follows.block(ann, agent);
                    return new RunOutcome.Answered("to nobody");
                },
                point -> {});
        assertThat(node.runOne()).isTrue();
        assertThat(replies(post)).isZero();
        assertThat(run().state()).isEqualTo(State.REFUSED);
        assertThat(run().reason()).isEqualTo(Reason.POST_GONE);
    }

    @Test
    void anAgentThatIsDisabledOrClosedToItsCallerWhileItThinksPostsNothing() throws InterruptedException {
        var post = asked();
        assertThat(node(changing(disabled()), point -> {}).runOne()).isTrue();
        assertThat(run().state()).isEqualTo(State.REFUSED);
        assertThat(run().reason()).isEqualTo(Reason.DISABLED);
        makeAgent();
        var other = asked();
        var nobodys = List.of(social.person("Somebody").user().hex());
        var closed = new Settings(null, null, null, null, null, null, nobodys, null, null);
        assertThat(node(changing(closed), point -> {}).runOne()).isTrue();
        assertThat(run().reason()).isEqualTo(Reason.CALLER);
        assertThat(replies(post) + replies(other)).isZero();
    }

    @Test
    void aRunThatFailedTooOftenIsNotAnsweredForAnAgentThatWasDisabledSince() throws InterruptedException {
        var post = asked();
        agents.update(admin, agent, disabled());
        social.db.useTransaction(tx -> tx.update("UPDATE agents.runs SET attempts = 9 WHERE due_at IS NOT NULL")
                .execute());
        assertThat(node().runOne()).isTrue();
        assertThat(run().reason()).isEqualTo(Reason.DISABLED);
        assertThat(replies(post)).isZero();
    }

    private static Settings disabled() {
        return new Settings(null, null, null, null, null, null, null, null, false);
    }

    private Thinker changing(Settings settings) {
        return (claim, found, question) -> {
            agents.update(admin, agent, settings);
            return new RunOutcome.Answered("unwanted");
        };
    }

    @Test
    void aNodeThatStopsGivesItsRunBackAtOnce() throws InterruptedException {
        var post = asked();
        var stopping = node(
                (claim, found, question) -> {
                    throw new InterruptedException();
                },
                point -> {});
        assertThatThrownBy(stopping::runOne).isInstanceOf(InterruptedException.class);
        assertThat(node().runOne()).isTrue();
        assertThat(replies(post)).isEqualTo(1);
    }

    @Test
    void aNodeThatLosesItsConnectionAsARunEndsGivesTheRunBack() throws InterruptedException {
        var post = asked();
        var failures = new AtomicInteger();
        var unlucky = node(this::answer, point -> {
            if (point.equals("noted") && failures.getAndIncrement() == 0) {
                throw new DbException(new SQLException("the connection is gone", "08006"));
            }
        });
        assertThatThrownBy(unlucky::runOne).isInstanceOf(DbException.class);
        assertThat(replies(post)).isZero();
        assertThat(unlucky.runOne()).as("it is not due at once").isFalse();
        assertThat(run().state()).as("the claim is over").isEqualTo(State.WAITING);
        endClaims();
        assertThat(unlucky.runOne()).isTrue();
        assertThat(replies(post)).isEqualTo(1);
    }

    @Test
    void oneCallerDoesNotKeepAllWorkersBusy() throws InterruptedException {
        asked();
        asked();
        asked();
        var bob = social.person("Busy" + count.get());
        social.post(bob, "@" + name + " and me?");
        social.settle();
        var claimed = IntStream.range(0, 4)
                .mapToObj(i -> social.db.inTransaction(store::claim))
                .flatMap(Optional::stream)
                .map(claim -> claim.run().caller())
                .toList();
        assertThat(claimed).containsExactly(ann.user(), ann.user(), bob.user());
        endClaims();
        while (node().runOne()) {
            Thread.yield();
        }
    }

    @Test
    void aReplyThatIsNotTakenIsTriedAgainOrSaidToHaveFailed() throws InterruptedException {
        asked();
        assertThat(node(refusedBy(SocialProblem.userNotFound()), point -> {}).runOne())
                .isTrue();
        assertThat(run().state()).isEqualTo(State.WAITING);
        endClaims();
        var invalid = SocialProblem.invalid("content", Text.of("http.field.required"));
        assertThat(node(refusedBy(invalid), point -> {}).runOne()).isTrue();
        assertThat(run().state()).isEqualTo(State.FAILED);
        assertThat(run().reason()).isEqualTo(Reason.MODEL_FAILED);
    }

    private static Thinker refusedBy(SocialProblem problem) {
        return (claim, found, question) -> new RunOutcome.Answered("an answer", tx -> {
            throw problem;
        });
    }

    @Test
    void anAccountWithAModelBecomesAnAgentThatPostsOfBeforeDoNotWake() throws InterruptedException {
        var account = social.person("Adopted");
        var profile = UserUpdate.of(social.accounts.users.profile(account.user()));
        social.accounts.users.update(
                account,
                account.user(),
                new UserUpdate(profile.nickname(), "", null, "librarian", null, null, null, null));
        agents.adopt(admin, account.user());
        agents.adopt(admin, account.user());
        social.db.useTransaction(
                tx -> tx.update("""
                UPDATE agents.agents SET created_at = now() + interval '1 h' WHERE user_id = :id
                """).bind("id", account.user().value()).execute());
        social.post(ann, "@Adopted are you there?");
        social.settle();
        assertThat(node().runOne()).isFalse();
        assertThat(agents.runs(admin, account.user(), Optional.empty(), 10)).isEmpty();
    }

    @Test
    void twoAdminsWhoAdoptAnAccountAtOnceMakeOneAgent() throws Exception {
        var account = social.person("Both");
        social.db.useTransaction(tx -> tx.update("UPDATE accounts.users SET ai_model = 'librarian' WHERE id = :id")
                .bind("id", account.user().value())
                .execute());
        try (var admins = Executors.newVirtualThreadPerTaskExecutor()) {
            var adopting = IntStream.range(0, 8)
                    .mapToObj(i -> admins.submit(() -> agents.adopt(admin, account.user())))
                    .toList();
            for (var each : adopting) {
                each.get();
            }
        }
        assertThat(agents.isAgent(account.user())).isTrue();
    }

    @Test
    void aDisabledAgentRefusesWhatWasWaiting() throws InterruptedException {
        asked();
        agents.update(admin, agent, disabled());
        assertThat(node().runOne()).isTrue();
        assertThat(run().reason()).isEqualTo(Reason.DISABLED);
        assertThat(social.db.read(store::nextDueIn).orElse(Duration.ZERO)).isZero();
    }
}
