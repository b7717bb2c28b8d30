package io.hiroba.agents;

import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.util.function.Consumer;

/** The outcome of carrying out a run. */
sealed interface RunOutcome {

    /** Of the characters of a cause. */
    int MAX_CAUSE = 500;

    /**
     * An answer in Markdown, to be posted.
     *
     * @param together what else is written in the transaction that posts it
     */
    record Answered(String text, Consumer<Tx> together) implements RunOutcome {

        Answered(String text) {
            this(text, tx -> {});
        }
    }

    /**
     * No answer, which is said in a reply.
     *
     * @param cause what failed; empty where the reason says all
     */
    record Failed(Reason reason, String cause) implements RunOutcome {

        Failed(Reason reason) {
            this(reason, "");
        }
    }

    /** No answer, and no reply either. */
    record Refused(Reason reason) implements RunOutcome {}

    /**
     * No answer yet.
     *
     * @param otherwise the reason to give if there were too many attempts
     * @param cause what failed; empty where the reason says all
     */
    record TryAgain(Duration pause, Reason otherwise, String cause) implements RunOutcome {

        TryAgain(Duration pause, Reason otherwise) {
            this(pause, otherwise, "");
        }
    }

    /** No answer yet: the run was left until its caller decides. */
    record Parked() implements RunOutcome {}

    /** No answer now: the agent is quiet for so long. */
    record NotNow(Duration pause) implements RunOutcome {}

    /** Nothing to do any more: the run was stopped, its agent is paused, or another node has it. */
    record Lost() implements RunOutcome {}
}
