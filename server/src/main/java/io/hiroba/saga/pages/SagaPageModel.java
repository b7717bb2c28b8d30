package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaDetails;
import io.hiroba.saga.SagaDetails.StepDetails;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The model of the page of one saga.
 *
 * @param attempts how many there are, after which its stream goes on
 * @param leftOut how many of the earliest attempts are not shown
 * @param seen the time of the state that is shown, in milliseconds since 1970
 * @param payload as JSON
 * @param waits the reasons why it waits, in sentences
 * @param signals those that can be sent to it
 */
public record SagaPageModel(
        String id,
        String workflow,
        int version,
        StatusLabel status,
        boolean isOver,
        boolean isStuck,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable Text error,
        String started,
        String exact,
        int attempts,
        int leftOut,
        long seen,
        String payload,
        List<String> waits,
        Timeline timeline,
        boolean mayUndo,
        boolean mayRetry,
        List<String> signals,
        Resolving resolving,
        boolean mayRunAgain) {

    /**
     * The decisions that operators can take and have taken by hand.
     *
     * @param may whether the reader can take one
     * @param steps those that can be skipped or marked as done
     * @param mayUndo whether the last one can be undone, if nothing followed
     */
    public record Resolving(boolean may, List<String> steps, boolean mayUndo, List<Decision> decisions) {

        public Resolving {
            steps = List.copyOf(steps);
            decisions = List.copyOf(decisions);
        }

        static Resolving of(SagaDetails details, boolean operator, Reader reader) {
            boolean may = operator
                    && !details.saga().status().isTerminal()
                    && !Workflow.isBuiltIn(details.saga().workflowName());
            var last = details.resolutions().stream()
                    .filter(each -> !each.undone() && !each.action().equals("undo"))
                    .findFirst();
            return new Resolving(
                    may,
                    may ? details.resolvable() : List.of(),
                    may && last.isPresent() && !details.saga().running(),
                    details.resolutions().stream()
                            .map(each -> Decision.of(each, reader))
                            .toList());
        }

        /** A decision in words. */
        public record Decision(Text words, @Nullable String reason, String by, String at, boolean undone) {

            static Decision of(SagaDetails.Resolved resolved, Reader reader) {
                var name = resolved.byName();
                var step = resolved.stepName();
                var key = "saga.decision." + resolved.action() + (step == null ? "" : "-step");
                return new Decision(
                        step == null ? Text.of(key) : Text.of(key, "step", step),
                        resolved.reason(),
                        name == null ? resolved.by() : name,
                        reader.exact(resolved.at()),
                        resolved.undone());
            }
        }
    }

    public SagaPageModel {
        waits = List.copyOf(waits);
        signals = List.copyOf(signals);
    }

    static SagaPageModel of(SagaDetails details, SagaRole role, Reader reader) {
        var saga = details.saga();
        var log = details.steps().stream()
                .flatMap(step -> step.attempts().stream())
                .toList();
        boolean operator = role == SagaRole.OPERATOR || role == SagaRole.ADMIN;
        boolean forward = saga.status().isForward();
        return new SagaPageModel(
                saga.id().toString(),
                saga.workflowName(),
                saga.workflowVersion(),
                StatusLabel.of(saga.status(), saga.stuck(), saga.running()),
                saga.status().isTerminal(),
                saga.stuck(),
                saga.correlationId(),
                details.initiatedByName() == null ? saga.initiatedBy() : details.initiatedByName(),
                saga.errorMessage(),
                reader.ago(saga.createdAt()),
                reader.exact(saga.createdAt()),
                log.size() + details.attemptsLeftOut(),
                details.attemptsLeftOut(),
                saga.updatedAt().toEpochMilli(),
                String.valueOf(Timeline.Attempt.pretty(saga.payload())),
                waits(details, reader),
                Timeline.of(saga, log, Optional.ofNullable(details.workflow()), reader),
                operator && forward && !Workflow.isBuiltIn(saga.workflowName()),
                operator && saga.stuck(),
                operator && forward ? signals(details) : List.of(),
                Resolving.of(details, operator, reader),
                operator && saga.status().isTerminal() && !Workflow.isBuiltIn(saga.workflowName()));
    }

    /** The actions that are possible now: the buttons are replaced only when this changes. */
    public String can() {
        return (mayRunAgain ? "again " : "")
                + (mayUndo ? "undo " : "")
                + (mayRetry ? "retry " : "")
                + String.join(" ", signals)
                + (resolving.may() ? " resolve " + String.join(" ", resolving.steps()) : "")
                + (resolving.mayUndo() ? " undo-resolution" : "");
    }

    public boolean mayAct() {
        return mayRunAgain || mayUndo || mayRetry || resolving.may() || !signals.isEmpty();
    }

    /** The button of a signal: Approve for {@code approve}. */
    public String label(String signal) {
        var words = signal.replaceAll("[._-]+", " ");
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private static List<String> waits(SagaDetails details, Reader reader) {
        var sentences = new ArrayList<String>();
        for (var wait : details.waits()) {
            var step = String.valueOf(wait.stepName());
            var until = wait.until();
            var time = until == null ? "" : reader.exact(until);
            switch (wait.cause()) {
                case SIGNAL -> sentences.add(signal(step, String.valueOf(wait.signal()), time, reader));
                case RETRY -> sentences.add(reader.text("saga.wait.retry", "step", step, "time", time));
                case NODE -> sentences.add(reader.text("saga.wait.node"));
                case OPERATOR -> {
                    // The alert above says so.
                }
            }
        }
        return sentences;
    }

    private static String signal(String step, String signal, String until, Reader reader) {
        return until.isEmpty()
                ? reader.text("saga.wait.signal", "step", step, "signal", signal)
                : reader.text("saga.wait.signal-until", "step", step, "signal", signal, "time", until);
    }

    private static List<String> signals(SagaDetails details) {
        return details.steps().stream()
                .filter(step -> !isDone(step))
                .map(StepDetails::step)
                .filter(Objects::nonNull)
                .map(Step::work)
                .filter(Step.Signal.class::isInstance)
                .map(work -> ((Step.Signal) work).name())
                .distinct()
                .toList();
    }

    private static boolean isDone(StepDetails step) {
        return step.attempts().stream()
                .filter(each -> each.action() == StepAction.EXECUTE)
                .reduce((earlier, later) -> later)
                .filter(last -> last.status() == StepStatus.SUCCESS || last.status() == StepStatus.SKIPPED)
                .isPresent();
    }
}
