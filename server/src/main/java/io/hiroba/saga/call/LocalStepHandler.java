package io.hiroba.saga.call;

import tools.jackson.databind.JsonNode;

/** A handler of a local step. It may be called again after a crash, so it must be idempotent. */
@FunctionalInterface
interface LocalStepHandler {

    /**
     * Handles the step and returns its answer.
     *
     * @throws Refusal where a retry is of no use
     * @throws Exception where a retry may help
     */
    JsonNode run(StepCall call) throws Exception;

    /** Thrown where a retry is of no use. The message is stored and shown. */
    final class Refusal extends Exception {

        private static final long serialVersionUID = 1L;

        public Refusal(String message) {
            super(message, null, false, false);
        }
    }
}
