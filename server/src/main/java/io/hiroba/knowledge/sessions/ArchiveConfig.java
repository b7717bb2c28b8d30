package io.hiroba.knowledge.sessions;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;

/** The configuration of the session archiver. */
public record ArchiveConfig(
        @Default("1h") @Doc("How long a session must have been silent before it is archived.")
        Duration idle,

        @Default("1h") @Doc("How often silent sessions are looked for.")
        Duration every,

        @Default("10") @Doc("Sessions that are looked for at once.")
        int batch,

        @Default("4000") @Doc("Tokens that a chunk of a conversation may have.")
        int chunkTokens) {

    public ArchiveConfig {
        if (idle.isNegative() || every.toMillis() < 10) {
            throw new IllegalArgumentException("idle must not be negative, and every at least 10ms");
        }
        if (batch < 1 || batch > 1000) {
            throw new IllegalArgumentException("batch must be between 1 and 1000, not " + batch);
        }
        if (chunkTokens < 50 || chunkTokens > 8000) {
            throw new IllegalArgumentException("chunk-tokens must be between 50 and 8000, not " + chunkTokens);
        }
    }
}
