package io.hiroba.platform.events;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;

/** The Redis that wakes other nodes, if there is one. */
public record RedisConfig(
        @Default("")
        @Secret
        @Doc(
                "redis://[user:password@]host[:port] or rediss://…: tells other nodes of changes. Empty means that PostgreSQL does.")
        String url) {

    public RedisConfig {
        if (!url.isEmpty() && !url.startsWith("redis://") && !url.startsWith("rediss://")) {
            throw new IllegalArgumentException("url must begin with redis:// or rediss://");
        }
    }

    public boolean isConfigured() {
        return !url.isEmpty();
    }
}
