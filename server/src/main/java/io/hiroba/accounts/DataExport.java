package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An export of all that Hiroba holds of a person.
 *
 * @param token the API token that started it, if one did
 * @param size of the archive, once it is ready
 * @param expiresAt when it is deleted; null while it is running
 * @param fence how often it was claimed
 */
record DataExport(
        Id id,
        UserId user,
        @Nullable TokenId token,
        State state,
        List<PartProgress> parts,
        @Nullable Long size,
        @Nullable Instant expiresAt,
        int fence) {

    DataExport {
        parts = List.copyOf(parts);
    }

    /** The id of an export. */
    record Id(long value) implements SnowflakeId {

        static Id parse(String hex) {
            return new Id(Ids.parse(hex));
        }

        @Override
        public String toString() {
            return hex();
        }
    }

    /** The state of an export. One that is cancelled is deleted. */
    enum State {
        RUNNING,
        READY,
        FAILED;

        /** The name in the database and in JSON. */
        String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        static State of(String code) {
            return valueOf(code.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * The progress of a part.
     *
     * @param items lines of its files, and files that have no lines, so far
     */
    record PartProgress(String name, long items, boolean done) {}

    Instant createdAt() {
        return Ids.createdAt(id.value());
    }

    /** The name of the archive that a claim writes. */
    static String archive(Id id, int fence) {
        return "%s-%d.zip".formatted(id.hex(), fence);
    }
}
