package io.hiroba.saga.call;

import io.hiroba.platform.http.Json;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.StepAction;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls for tests: of one saga's first step, unless something else is said. */
final class StepCalls {

    static final SagaId SAGA = new SagaId(UUID.fromString("0198c2e8-46ee-7000-8000-00000000beef"));

    private StepCalls() {}

    static StepCall of(String method, String json) {
        return call(method, json, Duration.ofSeconds(20), null);
    }

    static StepCall within(Duration timeout, String method) {
        return within(timeout, method, "{}");
    }

    static StepCall within(Duration timeout, String method, String json) {
        return call(method, json, timeout, null);
    }

    static StepCall traced(String traceparent) {
        return call("Stock.Reserve", "{}", Duration.ofSeconds(20), traceparent);
    }

    private static StepCall call(String method, String json, Duration timeout, @Nullable String traceparent) {
        return new StepCall(
                SAGA,
                0,
                "réserver",
                StepAction.EXECUTE,
                2,
                "stock",
                method,
                Json.mapper().readTree(json.replace('\'', '"')),
                timeout,
                traceparent,
                TaskKind.EXECUTE,
                1);
    }
}
