package io.hiroba.saga.call;

import tools.jackson.databind.JsonNode;

/** A handler of a step that this program carries out itself. It is called again after a crash, so it must bear that. */
@FunctionalInterface
interface LocalStepHandler {

    /**
     * Does it, and answers what later steps may be given.
     *
     * @throws Refusal where trying again is of no use
     * @throws Exception where it may be
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
