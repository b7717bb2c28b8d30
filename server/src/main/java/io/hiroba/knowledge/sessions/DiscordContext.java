package io.hiroba.knowledge.sessions;

import org.jspecify.annotations.Nullable;

/** The Discord guild, channel, thread and user of a session. */
public record DiscordContext(
        @Nullable Long guild,
        @Nullable Long channel,
        @Nullable Long thread,
        @Nullable Long user) {

    public static final DiscordContext NONE = new DiscordContext(null, null, null, null);
}
