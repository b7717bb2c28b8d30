package io.hiroba.knowledge;

import io.hiroba.knowledge.documents.WebFetcher;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;

/** The configuration of sources. */
public record SourcesConfig(
        @Default("20MB") @Doc("How large a file or a page may be.")
        ByteSize largest,

        @Default("400") @Doc("Tokens that a chunk of a document may have.")
        int chunkTokens,

        @Default("20s") @Doc("How long fetching a page may take, redirects included.")
        Duration fetchTimeout,

        @Default("false")
        @Doc("Whether pages may be fetched from private and loopback addresses. Leave it false unless everybody with an"
                + " account may see what answers there.")
        boolean privateAddresses) {

    public SourcesConfig {
        if (chunkTokens < 50 || chunkTokens > 8000) {
            throw new IllegalArgumentException("chunk-tokens must be between 50 and 8000, not " + chunkTokens);
        }
        if (fetchTimeout.toMillis() < 100) {
            throw new IllegalArgumentException("fetch-timeout must be at least 100ms");
        }
    }

    WebFetcher.Limits fetchLimits() {
        return new WebFetcher.Limits(largest, fetchTimeout);
    }
}
