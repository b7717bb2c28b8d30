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
        boolean privateAddresses,

        @Default("200") @Doc("Sources that a user may add in an hour; admins may add any number.")
        int perHour,

        @Default("10000") @Doc("Chunks that a source may have.")
        int maxChunks,

        @Default("1GB")
        @Doc("What the files that a user's sources were made from may take; more are refused. 0 keeps none of them.")
        ByteSize originalsPerUser,

        @Default("20000")
        @Doc("Records of a schema that are found in knowledge, where a project chose it; the others are not.")
        int recordsPerSchema,

        @Default("true")
        @Doc(
                "Whether issues and merge requests of the inbox are found in knowledge, by those who have or had an item about them.")
        boolean inboxResources) {

    /** More would be written in one transaction for minutes. */
    private static final int MAX_CHUNKS = 100_000;

    public SourcesConfig {
        if (chunkTokens < 50 || chunkTokens > 8000) {
            throw new IllegalArgumentException("chunk-tokens must be between 50 and 8000, not " + chunkTokens);
        }
        if (fetchTimeout.toMillis() < 100) {
            throw new IllegalArgumentException("fetch-timeout must be at least 100ms");
        }
        if (perHour < 1) {
            throw new IllegalArgumentException("per-hour must be at least 1, not " + perHour);
        }
        if (recordsPerSchema < 1) {
            throw new IllegalArgumentException("records-per-schema must be at least 1, not " + recordsPerSchema);
        }
        if (maxChunks < 1 || maxChunks > MAX_CHUNKS) {
            throw new IllegalArgumentException("max-chunks must be between 1 and " + MAX_CHUNKS + ", not " + maxChunks);
        }
    }

    WebFetcher.Limits fetchLimits() {
        return new WebFetcher.Limits(largest, fetchTimeout);
    }
}
