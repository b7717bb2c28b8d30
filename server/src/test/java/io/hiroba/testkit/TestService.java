package io.hiroba.testkit;

import io.hiroba.saga.call.StepCall;
import io.hiroba.saga.call.StepCaller;
import io.hiroba.saga.call.StepOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/** A service that remembers what it was asked, honours idempotency keys, and fails or waits where it is told to. */
public final class TestService implements StepCaller {

    private final List<StepCall> calls = new ArrayList<>();
    private final List<String> effects = new ArrayList<>();
    private final Map<String, StepCaller> scripts = new ConcurrentHashMap<>();

    /** What {@code method} does instead of answering at once; null as the outcome: go on as usual. */
    public TestService on(String method, StepCaller script) {
        scripts.put(method, script);
        return this;
    }

    public TestService fails(String method, StepOutcome outcome) {
        return on(method, call -> outcome);
    }

    /** Answers again. */
    public void heals(String method) {
        scripts.remove(method);
    }

    /** Holds calls of {@code method}, after their effect, until the hold is let go. */
    public Hold holds(String method) {
        var hold = new Hold();
        on(method, call -> {
            take(call);
            hold.reached.countDown();
            hold.await(hold.released);
            return done(call);
        });
        return hold;
    }

    /** Calls that are kept waiting. */
    public static final class Hold {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        public void awaitCall() {
            await(reached);
        }

        public void release() {
            released.countDown();
        }

        private void await(CountDownLatch latch) {
            try {
                if (!latch.await(20, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nothing came");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public StepOutcome call(StepCall call) {
        synchronized (calls) {
            calls.add(call);
        }
        var script = scripts.get(call.method());
        if (script != null) {
            return script.call(call);
        }
        take(call);
        return done(call);
    }

    /** Has the call take effect, once for each idempotency key. */
    public void take(StepCall call) {
        var effect = call.idempotencyKey() + " " + call.method();
        synchronized (calls) {
            if (!effects.contains(effect)) {
                effects.add(effect);
            }
        }
    }

    public static StepOutcome done(StepCall call) {
        return new StepOutcome.Done(JsonMapper.shared()
                .createObjectNode()
                .put("by", call.stepName())
                .put("attempt", call.attempt()));
    }

    /** The methods that took effect, in order. */
    public List<String> effects() {
        synchronized (calls) {
            return effects.stream()
                    .map(effect -> effect.substring(effect.indexOf(' ') + 1))
                    .toList();
        }
    }

    public List<StepCall> calls(String method) {
        synchronized (calls) {
            return calls.stream().filter(call -> call.method().equals(method)).toList();
        }
    }
}
