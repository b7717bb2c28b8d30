package io.hiroba.agents;

import io.hiroba.agents.remote.ToolServersConfig;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;

/** The settings of agents. */
public record AgentsConfig(
        @Default("true")
        @Doc("Whether agents answer. With false no agent is woken and none goes on; what waits then is answered later.")
        boolean enabled,

        @Default("3") @Doc("How many agents in a row may answer one another before the next one stays silent.")
        int maxDepth,

        @Default("8") @Doc("Runs of agents that a node carries out at once.")
        int workers,

        @Default("500000")
        @Doc("Tokens of models that runs for one caller may take on a day (UTC). 0 means any number.")
        long dailyTokensPerCaller,

        @Default("0") @Doc("US dollars that runs for one caller may spend on a day (UTC). 0 means any sum.")
        double dailyCostPerCaller,

        @Default("10000000")
        @Doc("Tokens of models that all agents together may take on a day (UTC). 0 means any number.")
        long dailyTokens,

        @Default("50") @Doc("US dollars that all agents together may spend on a day (UTC). 0 means any sum.")
        double dailyCost,

        @Default("3d") @Doc("How long callers can approve what an agent asks to do.")
        Duration approvalTimeout,

        @Default("10") @Doc("Changes that a run of an agent may make or ask for.")
        int maxActions,

        @Default("5") @Doc("Agents that a member may have who has the right to make some.")
        int agentsPerMember,

        @Default("365d") @Doc("How long runs of agents are kept after they ended.")
        Duration runRetention,

        ToolServersConfig toolServers) {

    private static final Duration APPROVAL_TIMEOUT = Duration.ofDays(3);
    private static final Duration MAX_APPROVAL_TIMEOUT = Duration.ofDays(365);
    private static final int MAX_ACTIONS = 10;
    private static final int AGENTS_PER_MEMBER = 5;
    private static final Duration RUN_RETENTION = Duration.ofDays(365);

    public AgentsConfig {
        if (maxDepth < 1 || maxDepth > 20) {
            throw new IllegalArgumentException("max-depth must be between 1 and 20, not " + maxDepth);
        }
        if (workers < 1 || workers > 100) {
            throw new IllegalArgumentException("workers must be between 1 and 100, not " + workers);
        }
        if (dailyTokensPerCaller < 0 || dailyTokens < 0 || !(dailyCostPerCaller >= 0) || !(dailyCost >= 0)) {
            throw new IllegalArgumentException("the daily limits must not be negative");
        }
        if (!approvalTimeout.isPositive() || approvalTimeout.compareTo(MAX_APPROVAL_TIMEOUT) > 0) {
            throw new IllegalArgumentException("approval-timeout must be between 1 ms and 365 d");
        }
        if (maxActions < 0 || maxActions > 1000) {
            throw new IllegalArgumentException("max-actions must be between 0 and 1000, not " + maxActions);
        }
        if (agentsPerMember < 1 || agentsPerMember > 100) {
            throw new IllegalArgumentException("agents-per-member must be between 1 and 100, not " + agentsPerMember);
        }
        if (runRetention.compareTo(Duration.ofDays(1)) < 0) {
            throw new IllegalArgumentException("run-retention must be at least 1 d");
        }
    }

    /** As usual in what is not given. */
    AgentsConfig(
            boolean enabled, int maxDepth, int workers, long dailyTokensPerCaller, long dailyTokens, double dailyCost) {
        this(
                enabled,
                maxDepth,
                workers,
                dailyTokensPerCaller,
                0,
                dailyTokens,
                dailyCost,
                APPROVAL_TIMEOUT,
                MAX_ACTIONS,
                AGENTS_PER_MEMBER,
                RUN_RETENTION,
                ToolServersConfig.USUAL);
    }
}
