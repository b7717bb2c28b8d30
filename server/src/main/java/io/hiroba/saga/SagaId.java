package io.hiroba.saga;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The id of a saga: a UUID of version 7, whose order is that of creation. */
public record SagaId(UUID value) implements Comparable<SagaId> {

    private static final Pattern FORM = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /** A malformed id is {@code saga.not-found}. */
    public static SagaId parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw SagaProblem.notFound();
        }
        return new SagaId(UUID.fromString(text));
    }

    /** The id, if {@code text} is one. */
    static Optional<SagaId> find(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new SagaId(UUID.fromString(text))) : Optional.empty();
    }

    /** The order of PostgreSQL's UUIDs, which is not that of Java's. */
    @Override
    public int compareTo(SagaId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    @JsonValue
    @Override
    public String toString() {
        return value.toString();
    }
}
