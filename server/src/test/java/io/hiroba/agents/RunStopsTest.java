package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.TestSocial;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are stopped at any point of theirs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunStopsTest {

    private static final AgentsConfig CONFIG = new AgentsConfig(true, 3, 1, 0, 0, 0);
    private static final Set<String> INSIDE_THE_END = Set.of("posted", "noted");

    private final TestSocial social = new TestSocial();
    private final WakeSignal due = new WakeSignal();
    private final AtomicInteger count = new AtomicInteger();
    private final Agents agents = new Agents(
            social.db, social.accounts.users, social.accounts.aiModels, social.accounts.module.audit(), Set.of());
    private final Caller ann = social.person("Ann");
    private final Caller admin = Caller.server(social.person("Admin").user());

    RunStopsTest() {
        social.consume(AgentWaker.CONSUMER, new AgentWaker(social.accounts.lease.ids(), CONFIG, due));
    }

    @AfterAll
    void close() {
        social.close();
    }

    private AgentRun run(UserId agent) {
        return agents.runs(admin, agent, Optional.empty(), 1).getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"claimed", "thinking", "thought", "posted", "noted", "ended"})
    void aStopAtAnyPointLeavesOneOutcome(String when) throws InterruptedException, ExecutionException {
        var name = "Agent" + count.incrementAndGet();
        var agent = agents.create(admin, new Settings(name, "librarian", null, null, null, null, null, null, null))
                .agent()
                .id();
        var post = social.post(ann, "@" + name + " why?");
        social.settle();
        var stop = new FutureTask<>(() -> agents.stop(ann, agent, run(agent).id()));
        Consumer<String> stopping = point -> {
            if (point.equals(when)) {
                Thread.ofVirtual().start(stop);
                // It waits for a transaction that ends the run.
                if (!INSIDE_THE_END.contains(point)) {
                    await().until(stop::isDone);
                }
            }
        };
        var node = new AgentRunWorker(
                new AgentRunWorker.Parts(
                        social.db,
                        social.accounts.users,
                        new RunPlaces(social.posts, social.messages),
                        social.accounts.module.aiActions(),
                        agents,
                        (claim, found, question) -> {
                            stopping.accept("thinking");
                            return new RunOutcome.Answered("Because.");
                        },
                        due),
                stopping);
        assertThat(node.runOne()).isTrue();
        boolean late = INSIDE_THE_END.contains(when) || when.equals("ended");
        if (late) {
            assertThatThrownBy(stop::get).hasCauseInstanceOf(AgentsProblem.class);
        } else {
            assertThat(stop.get().stoppedBy()).isEqualTo(ann.user());
        }
        assertThat(run(agent).state()).isEqualTo(late ? State.ANSWERED : State.STOPPED);
        assertThat(run(agent).stoppedBy()).isEqualTo(late ? null : ann.user());
        assertThat(social.posts.get(ann.user(), post).card().countReplies()).isEqualTo(late ? 1 : 0);
        assertThat(node.runOne()).isFalse();
    }
}
