package io.hiroba.records;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** A record's id: a UUID of version 7, which tells when the record was made. */
public record RowId(UUID value) {

    private static final Pattern FORM = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /** The id of no record. */
    static final RowId NONE = new RowId(new UUID(0, 0));

    /** What is no id is the id of no record. */
    public static RowId parse(String text) {
        return find(text).orElseThrow(RecordsProblem::noRecord);
    }

    /** None if {@code text} is no id. */
    public static Optional<RowId> find(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new RowId(UUID.fromString(text))) : Optional.empty();
    }

    public Instant createdAt() {
        return Instant.ofEpochMilli(value.getMostSignificantBits() >>> 16);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
