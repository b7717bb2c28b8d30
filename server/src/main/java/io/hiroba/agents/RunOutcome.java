package io.hiroba.agents;

import io.hiroba.agents.AgentRun.Reason;
import java.time.Duration;

/** The outcome of carrying out a run. */
sealed interface RunOutcome {

    /** An answer in Markdown, to be posted. */
    record Answered(String text) implements RunOutcome {}

    /** No answer, which is said in a reply. */
    record Failed(Reason reason) implements RunOutcome {}

    /** No answer, and no reply either. */
    record Refused(Reason reason) implements RunOutcome {}

    /**
     * No answer yet.
     *
     * @param otherwise the reason to give if there were too many attempts
     */
    record TryAgain(Duration pause, Reason otherwise) implements RunOutcome {}
}
