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

/** Resolves comparisons of ids and times of records. An id tells when its record was created, to the millisecond. */
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
                            ? created(operator, moment(value))
                            : new Predicate.Changed(operator, moment(value)));
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

    private static Predicate created(Operator operator, Instant at) {
        long floor = at.toEpochMilli();
        long ceiling = at.equals(Instant.ofEpochMilli(floor)) ? floor : floor + 1;
        return switch (operator) {
            case GTE -> from(ceiling);
            case GT -> from(floor + 1);
            case LT -> before(ceiling);
            case LTE -> before(floor + 1);
            default -> new Predicate.All(List.of(from(ceiling), before(floor + 1)));
        };
    }

    private static Predicate from(long millis) {
        return new Predicate.Identified(Operator.GTE, List.of(first(millis)));
    }

    private static Predicate before(long millis) {
        return new Predicate.Identified(Operator.LT, List.of(first(millis)));
    }

    /** The least id of a record that was created then. */
    private static UUID first(long millis) {
        return new UUID(Math.clamp(millis, 0, MAX_MILLIS) << 16, 0);
    }
}
