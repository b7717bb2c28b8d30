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
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.messages.DirectMessage;
import io.hiroba.social.messages.DirectMessages.MessageDraft;
import io.hiroba.social.messages.ThreadId;
import io.hiroba.testkit.TestSocial;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Direct messages to agents, answered once in their thread by nodes which die at any point. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentMessagesTest {

    private static final AgentsConfig CONFIG = new AgentsConfig(true, 3, 1, 0, 0, 0);

    private final TestSocial social = new TestSocial();
    private final WakeSignal due = new WakeSignal();
    private final Agents agents = new Agents(
            social.db, social.accounts.users, social.accounts.aiModels, social.accounts.module.audit(), Set.of());
    private final AtomicInteger count = new AtomicInteger();
    private final Caller ann = social.person("Ann");
    private final Caller bob = social.person("Bob");
    private final Caller admin = Caller.server(ann.user());
    private UserId agent = new UserId(0);
    private String name = "";

    AgentMessagesTest() {
        social.consume(AgentWaker.CONSUMER, new AgentWaker(social.accounts.lease.ids(), CONFIG, due));
    }

    /** A node that dies does nothing any more. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    @BeforeEach
    void makeAgent() {
        name = "Pen" + count.incrementAndGet();
        agent = made(name, null);
    }

    private UserId made(String nickname, @Nullable List<String> wake) {
        return agents.create(admin, new Settings(nickname, "librarian", null, null, null, wake, null, null, null))
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

    private static RunOutcome answer(
            AgentRunStore.ClaimedRun claim, Agents.Found found, Librarian.PostedQuestion question) {
        return new RunOutcome.Answered("Re: " + question.text());
    }

    private AgentRunWorker node() {
        return node(AgentMessagesTest::answer, point -> {});
    }

    private ThreadId thread(UserId... others) {
        return social.db
                .inTransaction(tx -> social.messages.open(tx, ann, List.of(others)))
                .thread();
    }

    private void send(Caller caller, ThreadId thread, String text) {
        social.db.useTransaction(tx -> social.messages.send(tx, caller, thread, MessageDraft.of(text)));
        social.settle();
    }

    private List<String> texts(ThreadId thread) {
        return social.messages.messages(ann, thread, Optional.empty(), 100).reversed().stream()
                .map(DirectMessage::content)
                .toList();
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

    @ParameterizedTest
    @ValueSource(strings = {"claimed", "thought", "posted", "noted", "ended"})
    void aNodeThatDiesAnywhereLeavesOneAnswerInTheThread(String deadly) throws InterruptedException {
        var thread = thread(agent);
        send(ann, thread, "Why?");
        var dying = node(AgentMessagesTest::answer, point -> {
            if (point.equals(deadly)) {
                throw new Death();
            }
        });
        assertThatThrownBy(dying::runOne).isInstanceOf(Death.class);
        endClaims();
        assertThat(node().runOne()).isEqualTo(!deadly.equals("ended"));
        assertThat(node().runOne()).isFalse();
        assertThat(texts(thread)).containsExactly("Why?", "Re: Why?");
        assertThat(run().state()).isEqualTo(State.ANSWERED);
        assertThat(run().thread()).isEqualTo(thread);
        assertThat(social.messages.thread(ann, thread).unread()).isEqualTo(1);
    }

    @Test
    void nodesThatWorkAtOnceAnswerEachMessageOnce() throws Exception {
        var thread = thread(agent);
        for (int i = 0; i < 10; i++) {
            send(ann, thread, "Number " + i + "?");
        }
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 4)
                    .mapToObj(i -> nodes.submit(() -> {
                        while (node().runOne()) {
                            Thread.yield();
                        }
                        return null;
                    }))
                    .toList();
            for (var each : running) {
                each.get();
            }
        }
        while (node().runOne()) {
            Thread.yield();
        }
        assertThat(texts(thread)).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void inAGroupAnAgentAnswersThoseWhoMentionIt() throws InterruptedException {
        var thread = thread(agent, bob.user());
        send(bob, thread, "Not for " + name + ", and nor for " + name + "2.");
        assertThat(node().runOne()).isFalse();
        send(bob, thread, "@" + name + " and you?");
        assertThat(node().runOne()).isTrue();
        assertThat(texts(thread)).last().isEqualTo("Re: and you?");
        assertThat(run().caller()).isEqualTo(bob.user());
    }

    @Test
    void agentsOfAGroupThatMentionOneAnotherStop() throws InterruptedException {
        var other = made(name + "Other", null);
        var thread = thread(agent, other);
        var talkative = node(
                (claim, found, question) -> new RunOutcome.Answered(
                        "@" + (question.agent().equals(agent) ? name + "Other" : name) + " what do you think?"),
                point -> {});
        send(ann, thread, "@" + name + " discuss!");
        int answers = 0;
        while (talkative.runOne()) {
            answers++;
            social.settle();
        }
        assertThat(answers).isEqualTo(CONFIG.maxDepth());
        assertThat(texts(thread)).hasSize(1 + CONFIG.maxDepth());
    }

    @Test
    void oneThatAnswersFromElsewhereIsNotAnsweredWithoutEnd() throws InterruptedException {
        var elsewhere = social.person("Elsewhere");
        social.db.useTransaction(tx -> tx.update("UPDATE accounts.users SET ai_model = 'librarian' WHERE id = :id")
                .bind("id", elsewhere.user().value())
                .execute());
        var thread = social.db
                .inTransaction(tx -> social.messages.open(tx, elsewhere, List.of(agent)))
                .thread();
        int answers = -1;
        do {
            answers++;
            send(elsewhere, thread, "And now?");
        } while (answers < 10 && node().runOne());
        assertThat(answers).isEqualTo(CONFIG.maxDepth() - 1);
    }

    @Test
    void oneThatIsNotToBeWokenOrIsBlockedMeanwhileStaysSilent() throws InterruptedException {
        var deaf = made(name + "Deaf", List.of("mention"));
        send(ann, thread(deaf), "Hello?");
        assertThat(node().runOne()).isFalse();
        var thread = thread(agent);
        send(ann, thread, "Hello?");
        social.follows.block(ann, agent);
        assertThat(node().runOne()).isTrue();
        assertThat(run().state()).isEqualTo(State.REFUSED);
        assertThat(run().reason()).isEqualTo(Reason.POST_GONE);
        assertThat(texts(thread)).containsExactly("Hello?");
    }
}
