package io.hiroba.bench.chaos.agents;

import java.util.List;
import java.util.SplittableRandom;

/** A behaviour of the chat model's service towards a call. */
enum ModelBehaviour {
    GOOD,
    /** Streams slowly, within the timeout. */
    SLOW,
    /** Asks for a tool first. */
    TOOL,
    /** Has a note posted first, where that tool is offered. */
    WRITING,
    /** Asks for a tool that was not offered. */
    UNKNOWN_TOOL,
    /** Asks for a tool with arguments that are no JSON. */
    BAD_ARGUMENTS,
    /** Answers, and mentions another agent. */
    MENTIONING,
    /** Refuses to answer. */
    REFUSING,
    /** Answers 429 with a short Retry-After. */
    LIMITED,
    /** Answers 429 with a Retry-After that no call waits for. */
    LIMITED_LONG,
    FAILING,
    UNAVAILABLE,
    /** Answers 402: waiting does not help. */
    UNPAID,
    /** Never answers. */
    HANGING,
    /** Begins to answer and says nothing. */
    SILENT,
    /** Breaks off in the middle. */
    CUT,
    /** Breaks off in the middle of the call of a tool. */
    CUT_TOOL,
    /** Sends what is no JSON. */
    NONSENSE,
    /** Ends without a word. */
    EMPTY,
    /** Writes until the caller has gone or has all that was asked for. */
    ENDLESS,
    /** Drops the connection. */
    BROKEN;

    private static final List<ModelBehaviour> FAULTS = List.of(
            UNKNOWN_TOOL,
            BAD_ARGUMENTS,
            REFUSING,
            LIMITED,
            LIMITED_LONG,
            FAILING,
            UNAVAILABLE,
            UNPAID,
            HANGING,
            SILENT,
            CUT,
            CUT_TOOL,
            NONSENSE,
            EMPTY,
            ENDLESS,
            BROKEN);
    private static final int FAULT_PERCENT = 35;
    private static final int SLOW_PERCENT = 42;
    private static final int TOOL_PERCENT = 50;
    private static final int WRITING_PERCENT = 78;
    private static final int MENTIONING_PERCENT = 85;

    static ModelBehaviour any(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (dice < FAULT_PERCENT) {
            return FAULTS.get(random.nextInt(FAULTS.size()));
        }
        if (dice < SLOW_PERCENT) {
            return SLOW;
        }
        if (dice < TOOL_PERCENT) {
            return TOOL;
        }
        return dice < WRITING_PERCENT ? WRITING : dice < MENTIONING_PERCENT ? MENTIONING : GOOD;
    }
}
