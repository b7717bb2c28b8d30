package io.hiroba.saga;

import com.google.protobuf.Timestamp;
import io.hiroba.contract.saga.v1.Saga;
import io.hiroba.contract.saga.v1.SagaStatus;
import io.hiroba.contract.saga.v1.StepAction;
import io.hiroba.contract.saga.v1.StepLog;
import io.hiroba.contract.saga.v1.StepStatus;
import io.hiroba.contract.saga.v1.Workflow;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.WorkflowVersion;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts sagas and workflows to protobuf messages. */
final class SagaMessages {

    private SagaMessages() {}

    static Saga of(io.hiroba.saga.Saga saga) {
        var message = Saga.newBuilder()
                .setId(saga.id().toString())
                .setWorkflowName(saga.workflowName())
                .setWorkflowVersion(saga.workflowVersion())
                .setStatus(status(saga.status()))
                .setCurrentStep(saga.currentStep())
                .setCorrelationId(orEmpty(saga.correlationId()))
                .setInitiatedBy(orEmpty(saga.initiatedBy()))
                .setErrorMessage(words(saga.errorMessage()))
                .setStuck(saga.stuck())
                .setRunning(saga.running())
                .setWaitingFor(orEmpty(saga.waitingFor()))
                .setPriority(saga.priority())
                .setCreatedAt(time(saga.createdAt()))
                .setUpdatedAt(time(saga.updatedAt()));
        Optional.ofNullable(saga.payload()).map(ProtoValues::of).ifPresent(message::setPayload);
        Optional.ofNullable(saga.wakeAt()).map(SagaMessages::time).ifPresent(message::setWakeAt);
        return message.build();
    }

    static StepLog of(io.hiroba.saga.StepLog log) {
        var message = StepLog.newBuilder()
                .setStepIndex(log.stepIndex())
                .setStepName(log.stepName())
                .setAction(
                        switch (log.action()) {
                            case EXECUTE -> StepAction.STEP_ACTION_EXECUTE;
                            case COMPENSATE -> StepAction.STEP_ACTION_COMPENSATE;
                        })
                .setAttempt(log.attempt())
                .setStatus(
                        switch (log.status()) {
                            case SUCCESS -> StepStatus.STEP_STATUS_SUCCESS;
                            case FAILED -> StepStatus.STEP_STATUS_FAILED;
                            case TIMEOUT -> StepStatus.STEP_STATUS_TIMEOUT;
                            case SKIPPED -> StepStatus.STEP_STATUS_SKIPPED;
                        })
                .setError(words(log.error()))
                .setStartedAt(time(log.startedAt()))
                .setCompletedAt(time(log.completedAt()))
                .setLeftOut(log.leftOut())
                .setMaybeDone(log.maybeDone());
        Optional.ofNullable(log.responseHead()).map(ProtoValues::of).ifPresent(message::setResponseHead);
        Optional.ofNullable(log.request()).map(ProtoValues::of).ifPresent(message::setRequest);
        Optional.ofNullable(log.answer()).map(ProtoValues::of).ifPresent(message::setAnswer);
        Optional.ofNullable(log.retryAt()).map(SagaMessages::time).ifPresent(message::setRetryAt);
        return message.build();
    }

    static Workflow of(WorkflowVersion workflow) {
        return Workflow.newBuilder()
                .setName(workflow.name())
                .setVersion(workflow.version())
                .setEnabled(workflow.enabled())
                .setCreatedBy(workflow.createdBy())
                .setCreatedAt(time(workflow.createdAt()))
                .build();
    }

    static SagaStatus status(io.hiroba.saga.SagaStatus status) {
        return switch (status) {
            case STARTED -> SagaStatus.SAGA_STATUS_STARTED;
            case RUNNING -> SagaStatus.SAGA_STATUS_RUNNING;
            case COMPLETED -> SagaStatus.SAGA_STATUS_COMPLETED;
            case COMPENSATING -> SagaStatus.SAGA_STATUS_COMPENSATING;
            case FAILED -> SagaStatus.SAGA_STATUS_FAILED;
            case CANCELLED -> SagaStatus.SAGA_STATUS_CANCELLED;
        };
    }

    /** In English: a call has no language. */
    private static String words(@Nullable Text error) {
        return error == null ? "" : error.toString();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Timestamp time(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }
}
