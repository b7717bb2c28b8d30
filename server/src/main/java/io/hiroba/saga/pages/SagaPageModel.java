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
        List<String> signals) {

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
                saga.initiatedBy(),
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
                operator && forward ? signals(details) : List.of());
    }

    /** The actions that are possible now: the buttons are replaced only when this changes. */
    public String can() {
        return (mayUndo ? "undo " : "") + (mayRetry ? "retry " : "") + String.join(" ", signals);
    }

    public boolean mayAct() {
        return mayUndo || mayRetry || !signals.isEmpty();
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
                case CHILDREN -> sentences.add(reader.text("saga.wait.children", "step", step));
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
                .anyMatch(each -> each.action() == StepAction.EXECUTE && each.status() == StepStatus.SUCCESS);
    }
}
