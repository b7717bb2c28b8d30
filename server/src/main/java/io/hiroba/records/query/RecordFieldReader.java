package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RowId;
import io.hiroba.records.Timestamps;
import io.hiroba.records.ValueType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * Resolves comparisons of ids and times of records, which are compared as they are shown: to the millisecond. An id tells when its record
 * was created.
 */
final class RecordFieldReader {

    private static final long MAX_MILLIS = (1L << 48) - 1;

    private RecordFieldReader() {}

    static Predicate predicate(Condition.OfRecord test) {
        if (test.field() == Condition.RecordField.ID) {
            return new Predicate.Identified(
                    Operator.IN,
                    test.values().stream().map(RecordFieldReader::id).toList());
        }
        var parts = new ArrayList<Predicate>();
        for (var value : test.values()) {
            var operator = test.operator() == Operator.IN ? Operator.EQ : test.operator();
            parts.add(
                    test.field() == Condition.RecordField.CREATED_AT
                            ? compared(operator, moment(value), RecordFieldReader::created)
                            : compared(operator, moment(value), RecordFieldReader::changed));
        }
        return parts.size() == 1 ? parts.getFirst() : new Predicate.Any(parts);
    }

    private static UUID id(JsonNode value) {
        return RowId.find(value.asString(""))
                .map(RowId::value)
                .orElseThrow(() -> RecordsProblem.invalid("_id", Text.of("records.field.record-id")));
    }

    private static Instant moment(JsonNode value) {
        try {
            return Timestamps.instant(ValueType.DATETIME.stored(value).longValue());
        } catch (InvalidValueException e) {
            throw RecordsProblem.invalid("where", e.reason());
        }
    }

    /** A comparison by {@code GTE} or {@code LT} with a millisecond. */
    private interface Bound {
        Predicate of(Operator operator, long millis);
    }

    private static Predicate compared(Operator operator, Instant at, Bound bound) {
        long floor = at.toEpochMilli();
        long ceiling = at.equals(Instant.ofEpochMilli(floor)) ? floor : floor + 1;
        return switch (operator) {
            case GTE -> bound.of(Operator.GTE, ceiling);
            case GT -> bound.of(Operator.GTE, floor + 1);
            case LT -> bound.of(Operator.LT, ceiling);
            case LTE -> bound.of(Operator.LT, floor + 1);
            default -> new Predicate.All(List.of(bound.of(Operator.GTE, ceiling), bound.of(Operator.LT, floor + 1)));
        };
    }

    private static Predicate created(Operator operator, long millis) {
        return new Predicate.Identified(operator, List.of(first(millis)));
    }

    private static Predicate changed(Operator operator, long millis) {
        return new Predicate.Changed(operator, Instant.ofEpochMilli(millis));
    }

    /** The least id of a record that was created then. */
    private static UUID first(long millis) {
        return new UUID(Math.clamp(millis, 0, MAX_MILLIS) << 16, 0);
    }
}
