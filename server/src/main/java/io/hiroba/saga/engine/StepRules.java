package io.hiroba.saga.engine;

import io.hiroba.platform.expression.ExpressionException;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.InputMapping.MissingValue;
import io.hiroba.saga.workflow.SagaValues;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Decides by the conditions and timers of steps whose turn has come. They depend on the payload and on the answers of earlier
 * stages alone, so that the decision is the same after a crash.
 */
final class StepRules {

    private final ClaimedSaga saga;
    private final Map<String, JsonNode> answers;
    private final Map<Integer, Verdict> verdicts = new HashMap<>();
    private final Map<Integer, TimerEnd> ends = new HashMap<>();

    private record Verdict(boolean isExecuted, @Nullable Text failure) {

        static final Verdict EXECUTED = new Verdict(true, null);
    }

    /** @param at by the driver's clock */
    private record TimerEnd(long at, @Nullable Text failure) {}

    /** @param answers those of earlier stages, which grow while the saga goes on */
    StepRules(ClaimedSaga saga, Map<String, JsonNode> answers) {
        this.saga = saga;
        this.answers = answers;
    }

    boolean isExecuted(Step step) {
        return verdict(step).isExecuted();
    }

    /** The decision that follows for {@code step}, which was reached at {@code reachedAt}; null where it is executed or waits. */
    @Nullable
    Decision decide(Step step, long reachedAt, long now) {
        var verdict = verdict(step);
        if (verdict.failure() != null) {
            return new Decision.Fail(step, verdict.failure());
        }
        if (!verdict.isExecuted()) {
            return new Decision.LeaveOut(step);
        }
        if (!(step.work() instanceof Step.Timer timer)) {
            return null;
        }
        if (timer.isUntil() && saga.created() == null) {
            // The moment is one of the database's clock, which comes with the next claim.
            return new Decision.Wait(Duration.ZERO);
        }
        var end = end(step, timer, reachedAt);
        if (end.failure() != null) {
            return new Decision.Fail(step, end.failure());
        }
        return end.at() - now <= 0 ? new Decision.Elapsed(step) : null;
    }

    long timerEnd(Step step, Step.Timer timer, long reachedAt) {
        return end(step, timer, reachedAt).at();
    }

    private Verdict verdict(Step step) {
        var when = step.when();
        if (when == null) {
            return Verdict.EXECUTED;
        }
        return verdicts.computeIfAbsent(step.index(), index -> {
            try {
                return new Verdict(when.holds(new SagaValues(saga.payload(), answers)), null);
            } catch (ExpressionException e) {
                return new Verdict(false, e.reason());
            }
        });
    }

    private TimerEnd end(Step step, Step.Timer timer, long reachedAt) {
        return ends.computeIfAbsent(step.index(), index -> {
            try {
                var value = timer.value().apply(new SagaValues(saga.payload(), answers));
                var wait = timer.isUntil()
                        ? Step.Timer.moment(value.asString("")).map(this::sinceCreation)
                        : Step.Timer.duration(value.asString(""));
                if (wait.isEmpty() || wait.get().compareTo(Step.Timer.MAX) > 0) {
                    return new TimerEnd(
                            reachedAt,
                            timer.isUntil()
                                    ? Text.of("saga.journal.no-moment", "value", shown(value))
                                    : Text.of("saga.journal.no-duration", "value", shown(value)));
                }
                boolean isOver = wait.get().isNegative();
                long from = timer.isUntil() ? saga.createdAt() : reachedAt;
                return new TimerEnd(isOver ? reachedAt : from + wait.get().toNanos(), null);
            } catch (MissingValue e) {
                return new TimerEnd(reachedAt, e.reason());
            }
        });
    }

    private Duration sinceCreation(Instant moment) {
        var created = saga.created();
        return created == null ? Duration.ZERO : Duration.between(created, moment);
    }

    private static String shown(JsonNode value) {
        var text = value.toString();
        return text.length() <= 100 ? text : text.substring(0, text.offsetByCodePoints(0, 50)) + "…";
    }
}
