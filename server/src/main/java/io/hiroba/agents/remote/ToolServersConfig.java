package io.hiroba.agents.remote;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;

/** The settings of servers elsewhere whose tools agents use. */
public record ToolServersConfig(
        @Default("false")
        @Doc("Whether servers of tools may have private and loopback addresses, and be called over http.")
        boolean privateAddresses,

        @Default("60s") @Doc("How long a call of a tool of another server may take.")
        Duration timeout) {

    /** The usual settings. */
    public static final ToolServersConfig USUAL = new ToolServersConfig(false, Duration.ofSeconds(60));

    public ToolServersConfig {
        if (timeout.toMillis() < 100 || timeout.toMinutes() > 10) {
            throw new IllegalArgumentException("timeout must be between 100ms and 10m");
        }
    }
}
