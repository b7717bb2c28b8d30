package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.Approvals.Approval;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.SagaDetails;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepLog;
import io.hiroba.saga.pages.SagaPageModel.Resolving.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The events of a saga, in their order.
 *
 * @param leftOut how many attempts are left out
 */
public record SagaHistory(String id, String workflow, List<HistoryEvent> events, int leftOut) {

    public SagaHistory {
        events = List.copyOf(events);
    }

    /**
     * An event.
     *
     * @param at when it was, in full
     * @param detail the reason of a failure, or how long it took
     * @param request what was sent, as JSON; null where it is no attempt, or the payload was sent
     * @param answer what was answered, as JSON; null where there is none
     */
    public record HistoryEvent(
            Instant time,
            String at,
            Text words,
            @Nullable Text detail,
            boolean isBad,
            @Nullable String request,
            @Nullable String answer) {}

    static SagaHistory of(SagaDetails details, List<Approval> approvals, Reader reader) {
        var saga = details.saga();
        var events = new ArrayList<HistoryEvent>();
        var by = details.initiatedByName() == null ? saga.initiatedBy() : details.initiatedByName();
        var started = by == null ? Text.of("saga.show.started") : Text.of("saga.history.started", "name", by);
        events.add(event(saga.createdAt(), started, null, reader));
        details.steps().forEach(step -> step.attempts().forEach(each -> events.add(attempt(each, reader))));
        for (var approval : approvals) {
            var step = approval.stepName();
            events.add(event(approval.openedAt(), Text.of("saga.history.asked", "step", step), null, reader));
            for (var verdict : approval.decisions()) {
                var key = verdict.approved() ? "saga.history.approved" : "saga.history.rejected";
                var name = verdict.name().isEmpty() ? reader.text("saga.approval.deleted-account") : verdict.name();
                var comment = verdict.comment().isEmpty() ? null : Text.verbatim(verdict.comment());
                events.add(event(verdict.at(), Text.of(key, "step", step, "name", name), comment, reader));
            }
        }
        for (var resolved : details.resolutions()) {
            var decision = Decision.of(resolved, reader);
            var words = Text.of("saga.history.decided", "decision", decision.words(), "name", decision.by());
            var reason = decision.reason() == null ? null : Text.verbatim(decision.reason());
            events.add(event(resolved.at(), words, reason, reader));
        }
        events.sort(Comparator.comparing(HistoryEvent::time));
        if (saga.status().isTerminal()) {
            var status = Text.of("saga.status." + saga.status().name().toLowerCase(Locale.ROOT));
            var words = Text.of("saga.history.ended", "status", status);
            events.add(event(saga.updatedAt(), words, saga.errorMessage(), reader));
        }
        return new SagaHistory(saga.id().toString(), saga.workflowName(), events, details.attemptsLeftOut());
    }

    private static HistoryEvent event(Instant at, Text words, @Nullable Text detail, Reader reader) {
        return new HistoryEvent(at, reader.exact(at), words, detail, false, null, null);
    }

    /** By its end: what it led to was written with it. */
    private static HistoryEvent attempt(StepLog log, Reader reader) {
        var key = log.action() == StepAction.EXECUTE ? "saga.history.attempt" : "saga.history.undo";
        var words = Text.of(
                key,
                "step",
                log.stepName(),
                "number",
                Integer.toString(log.attempt()),
                "outcome",
                Timeline.Attempt.outcome(log.status()));
        var took = DurationText.text(Duration.between(log.startedAt(), log.completedAt()));
        return new HistoryEvent(
                log.completedAt(),
                reader.exact(log.completedAt()),
                words,
                log.error() == null ? took : log.error(),
                log.error() != null,
                Timeline.Attempt.pretty(log.request()),
                Timeline.Attempt.pretty(log.answer()));
    }
}
