package io.hiroba.knowledge.sessions;

import org.jspecify.annotations.Nullable;

/** Where outside a conversation takes place, and with whom. */
public record DiscordPlace(
        @Nullable Long guild,
        @Nullable Long channel,
        @Nullable Long thread,
        @Nullable Long user) {

    public static final DiscordPlace NONE = new DiscordPlace(null, null, null, null);
}
