package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Text;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An agent: an account that answers by itself.
 *
 * @param callers those who may call it; everybody if there are none
 * @param owner the member who made it for themselves; null for one of the admins
 */
record Agent(
        UserId id,
        String instructions,
        List<String> tools,
        Set<Wake> wake,
        List<UserId> callers,
        Limits limits,
        boolean enabled,
        Instant createdAt,
        @Nullable UserId owner) {

    /** The model that is built in, which answers from what is known here. */
    static final String LIBRARIAN = "librarian";

    /** The settings that an agent has unless others are given. */
    static final Agent UNMADE = new Agent(
            new UserId(0), "", List.of(), Set.of(Wake.values()), List.of(), Limits.DEFAULT, true, Instant.EPOCH, null);

    static final int MAX_INSTRUCTIONS = 20_000;
    static final int MAX_CALLERS = 100;

    Agent {
        tools = List.copyOf(tools);
        wake = Set.copyOf(wake);
        callers = List.copyOf(callers);
        if (instructions.codePointCount(0, instructions.length()) > MAX_INSTRUCTIONS) {
            throw AgentsProblem.invalid("instructions", Text.of("agents.field.too-long", "max", MAX_INSTRUCTIONS));
        }
        if (callers.size() > MAX_CALLERS) {
            throw AgentsProblem.invalid("callers", Text.of("agents.field.too-many", "max", MAX_CALLERS));
        }
    }

    /** The same settings for another account and owner. */
    Agent of(UserId account, @Nullable UserId itsOwner) {
        return new Agent(account, instructions, tools, wake, callers, limits, enabled, createdAt, itsOwner);
    }

    boolean isChangeableBy(Caller caller) {
        return caller.admin() || caller.user().equals(owner);
    }

    /** Refuses whoever is neither an admin nor the owner. */
    void requireChangeableBy(Caller caller) {
        if (!isChangeableBy(caller)) {
            throw AgentsProblem.notYours();
        }
    }

    boolean allows(UserId caller) {
        return callers.isEmpty() || callers.contains(caller);
    }

    /** The acts that wake an agent. */
    enum Wake {
        MENTION,
        REPLY,
        /** A direct message to it, or one in a group that mentions it. */
        MESSAGE,
        /** A step of a saga. */
        STEP,
        /** A time that somebody set. */
        SCHEDULE,
        /** An item of somebody's inbox who wants that. */
        INBOX,
        /** A record that matches a saved query of somebody who wants that. */
        QUERY;

        String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Wake parse(String code) {
            return Arrays.stream(values())
                    .filter(wake -> wake.code().equals(code))
                    .findFirst()
                    .orElseThrow(() -> AgentsProblem.invalid(
                            "wake",
                            Text.of(
                                    "http.field.one-of",
                                    "values",
                                    Arrays.stream(values()).map(Wake::code).collect(Collectors.joining(", ")))));
        }
    }

    /**
     * The bounds of an agent's runs.
     *
     * @param turns calls of the model in a run
     * @param seconds how long a run may take
     * @param dailyTokens tokens on a day (UTC); null for any number
     * @param dailyCost US dollars on a day (UTC); null for any sum
     */
    record Limits(
            int turns,
            int seconds,
            @Nullable Long dailyTokens,
            @Nullable BigDecimal dailyCost) {

        static final Limits DEFAULT = new Limits(8, 120, 200_000L, null);

        private static final long MAX_TOKENS = 1_000_000_000_000L;
        private static final BigDecimal MAX_COST = new BigDecimal(100_000);
        private static final int MAX_DECIMALS = 6;

        Limits {
            var checks = new FieldChecks();
            checks.require(() -> requireBetween("limits.turns", turns, 1, 50));
            checks.require(() -> requireBetween("limits.seconds", seconds, 1, 600));
            checks.require(() -> requireTokens(dailyTokens));
            checks.require(() -> requireCost(dailyCost));
            checks.end();
        }

        private static void requireTokens(@Nullable Long dailyTokens) {
            if (dailyTokens != null && (dailyTokens < 0 || dailyTokens > MAX_TOKENS)) {
                throw AgentsProblem.invalid(
                        "limits.dailyTokens", Text.of("agents.field.between", "min", 0, "max", MAX_TOKENS));
            }
        }

        private static void requireCost(@Nullable BigDecimal dailyCost) {
            // The exponent is checked first: arithmetic on 1e999999999 would not end.
            if (dailyCost != null
                    && (dailyCost.precision() > 20
                            || dailyCost.scale() > MAX_DECIMALS
                            || dailyCost.scale() < -5
                            || dailyCost.signum() < 0
                            || dailyCost.compareTo(MAX_COST) > 0)) {
                throw AgentsProblem.invalid(
                        "limits.dailyCost", Text.of("agents.field.between", "min", 0, "max", 100_000));
            }
        }

        private static void requireBetween(String field, int value, int min, int max) {
            if (value < min || value > max) {
                throw AgentsProblem.invalid(field, Text.of("agents.field.between", "min", min, "max", max));
            }
        }
    }
}
