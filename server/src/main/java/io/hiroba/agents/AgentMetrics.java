package io.hiroba.agents;

import io.hiroba.accounts.AiModel;
import io.hiroba.agents.AgentRun.Usage;
import io.hiroba.agents.AgentRunStore.RunEnd;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;

/** The metrics of agents on this node: how runs ended, and what calls of models took. */
final class AgentMetrics {

    private AgentMetrics() {}

    /** Counts a run that has ended, after the commit. */
    static void ended(RunEnd end) {
        var reason = end.reason();
        Counter.builder("hiroba.agents.runs.ended")
                .description("Runs of agents that this node ended")
                .tag("state", end.state().code())
                .tag("reason", reason == null ? "none" : reason.name().toLowerCase(Locale.ROOT))
                .register(Metrics.globalRegistry)
                .increment();
    }

    /** Counts a call of a model with what it is charged. */
    static void called(AiModel model, Usage used, String result, Duration time) {
        Timer.builder("hiroba.agents.model.calls")
                .description("Calls of models by agents on this node")
                .tag("model", model.name())
                .tag("result", result)
                .register(Metrics.globalRegistry)
                .record(time);
        tokens(model, "in", used.tokensIn());
        tokens(model, "out", used.tokensOut());
        Counter.builder("hiroba.agents.cost")
                .description("Costs of the models of agents on this node")
                .baseUnit("dollars")
                .tag("model", model.name())
                .register(Metrics.globalRegistry)
                .increment(used.cost().doubleValue());
    }

    private static void tokens(AiModel model, String direction, long count) {
        Counter.builder("hiroba.agents.tokens")
                .description("Tokens that models of agents on this node read and wrote")
                .tag("model", model.name())
                .tag("direction", direction)
                .register(Metrics.globalRegistry)
                .increment((double) count);
    }
}
