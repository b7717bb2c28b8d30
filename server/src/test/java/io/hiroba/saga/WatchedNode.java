package io.hiroba.saga;

import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepCall;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.RetryPolicy.Backoff;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestAccounts;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import tools.jackson.databind.json.JsonMapper;

/** A node whose service answers each call for a saga started here with the next outcome that a test gives it. */
final class WatchedNode implements AutoCloseable {

    /** Two steps, of which the first can be undone and both are tried twice. */
    static final Workflow ORDER = new Workflow("order", 1, List.of(step(0, "reserve"), step(1, "charge")), null);

    private static final StepOutcome DONE =
            new StepOutcome.Done(JsonMapper.shared().readTree("{\"done\": true}"));

    private final String name = UUID.randomUUID().toString();
    private final BlockingQueue<StepOutcome> outcomes = new LinkedBlockingQueue<>();
    final SagaWatches watches;
    final Engine engine;

    /** @param period how often it looks for what other nodes did */
    WatchedNode(TestAccounts accounts, Duration period) {
        this(accounts, period, Duration.ofMinutes(10));
    }

    WatchedNode(TestAccounts accounts, Duration period, Duration lifetime) {
        watches = new SagaWatches(accounts.db, new SagaRoles(accounts.db), new CommitSignal(), period, lifetime).open();
        engine = new Engine(
                        new Engine.Parts(
                                accounts.db,
                                Clock.systemUTC(),
                                accounts.lease.ids(),
                                (name, version) -> Optional.of(ORDER),
                                this::call,
                                watches::changed),
                        SagaConfig.DEFAULT)
                .open();
    }

    private static Step step(int index, String name) {
        return new Step(
                index,
                index,
                name,
                new Step.Call("shop", name, "undo-" + name, null, null),
                Duration.ofSeconds(30),
                new RetryPolicy(2, Backoff.NONE, Duration.ZERO, Duration.ZERO, 0));
    }

    private StepOutcome call(StepCall call) {
        if (!call.input().path("node").asString().equals(name)) {
            return DONE; // Left behind by an earlier test's node and taken over by this one.
        }
        try {
            return outcomes.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return StepOutcome.Failed.retryable(Text.verbatim("interrupted"));
        }
    }

    SagaId start() {
        var payload = JsonMapper.shared().createObjectNode().put("node", name);
        return engine.start(new NewSaga("order", payload, "order-7", null, null), ORDER);
    }

    WatchedNode succeeds() {
        outcomes.add(DONE);
        return this;
    }

    WatchedNode fails() {
        outcomes.add(StepOutcome.Failed.retryable(Text.verbatim("it was busy")));
        return this;
    }

    /** Lets calls that nobody has answered end. */
    @Override
    public void close() {
        for (int i = 0; i < 20; i++) {
            succeeds();
        }
        watches.close();
        engine.close();
    }
}
