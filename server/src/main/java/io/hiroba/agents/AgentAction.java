package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool that changes something.
 *
 * @param input the arguments, one JSON object
 * @param comment of whoever decided
 * @param expiresAt when nobody can approve it any more; null for one that nobody is asked about
 * @param answer what it led to; null until it was carried out
 * @param version of the tool when it was asked for, as {@link AgentTools#version} has it
 */
record AgentAction(
        long id,
        Origin origin,
        String tool,
        String input,
        String title,
        State state,
        String comment,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable String answer,
        boolean failed,
        String version) {

    /**
     * The run that an action belongs to, and where in it.
     *
     * @param question the path of the page that shows the question
     */
    record Origin(long run, UserId agent, UserId caller, String question, int turn, int position) {}

    /** The states of an action. */
    enum State {
        /** Nobody is asked. */
        SMALL,
        OPEN,
        APPROVED,
        REJECTED,
        /** Nobody decided in time. */
        OVERDUE,
        /** The run ended before somebody decided. */
        WITHDRAWN,
        /** It cannot be carried out or asked for. */
        REFUSED;

        String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
