package io.hiroba.saga.engine;

import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.workflow.Workflow;

/** A saga that is to be started. */
record SagaStart(SagaId id, NewSaga saga, Workflow workflow) {}
