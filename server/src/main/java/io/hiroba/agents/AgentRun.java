package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.social.PostId;
import io.hiroba.social.messages.ThreadId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A run of an agent: what a post or a direct message that woke it led to.
 *
 * @param post the post, or the message: ids of both are never the same
 * @param thread the private thread of the message, and of the answer; null for a post
 * @param depth how many agents in a row answered one another before
 * @param reason why it was refused or failed
 * @param cause what failed when it was tried last; empty where the reason says all, or nothing failed
 * @param reply the post, or the message, that ended it
 * @param stoppedBy whoever stopped it, if a person did
 */
record AgentRun(
        long id,
        UserId agent,
        PostId post,
        @Nullable ThreadId thread,
        UserId caller,
        Wake wokenBy,
        int depth,
        State state,
        @Nullable Reason reason,
        String cause,
        @Nullable PostId reply,
        Usage usage,
        int attempts,
        Times times,
        @Nullable UserId stoppedBy) {

    /** The page that shows the question, which a step of a saga has none of; of a private thread the thread, which its members alone see. */
    String questionPath() {
        return wokenBy == Wake.STEP ? "" : thread == null ? "/posts/" + post : "/messages/" + thread;
    }

    /** The page that shows the answer; empty if there is none. */
    String answerPath() {
        return reply == null || wokenBy == Wake.STEP ? "" : thread == null ? "/posts/" + reply : "/messages/" + thread;
    }

    /** The states of a run. */
    enum State {
        WAITING,
        RUNNING,
        /** It waits until its caller decides about what it is to do. */
        APPROVAL,
        ANSWERED,
        REFUSED,
        FAILED,
        STOPPED;

        String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean hasEnded() {
            return this != WAITING && this != RUNNING && this != APPROVAL;
        }
    }

    /** The reasons why a run ended without an answer. */
    enum Reason {
        /** Too many agents in a row. */
        DEPTH,
        /** The agent is not for this caller. */
        CALLER,
        DISABLED,
        /** The post is gone, or a block is between agent and caller. */
        POST_GONE,
        NO_REPLIES,
        NO_MODEL,
        BUDGET,
        TURNS,
        TIME,
        MODEL_FAILED,
        /** The provider of the model takes no more requests, or its quota is used up. */
        RATE_LIMITED,
        MODEL_REFUSED,
        /** It failed again and again. */
        GAVE_UP;

        String code() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * The use of a model by a run.
     *
     * @param cost US dollars
     */
    record Usage(int turns, long tokensIn, long tokensOut, BigDecimal cost) {}

    /** The times of a run. */
    record Times(
            Instant createdAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt) {}
}
