package io.hiroba.records;

import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Gives records the values that nobody writes: a number, and who created and changed them when. */
public final class GeneratedValues {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final GeneratedValueStore store = new GeneratedValueStore();

    /** Those of records that are about to be inserted, in their documents. */
    public void created(Tx tx, ProjectTables tables, Schema schema, List<RecordRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        for (var attribute : of(schema)) {
            long number = kind(attribute) == ValueFormat.Kind.AUTONUMBER
                    ? store.take(tx, tables, schema.id(), attribute, rows.size()) - rows.size()
                    : 0;
            for (var row : rows) {
                number++;
                put(row.document(), attribute, value(attribute, row, number));
            }
        }
    }

    /** Those of records that are about to be changed. */
    static void changed(Schema schema, List<RecordRow> rows) {
        for (var attribute : of(schema)) {
            if (isOfChange(attribute)) {
                rows.forEach(row -> put(row.document(), attribute, value(attribute, row, 0)));
            }
        }
    }

    /** Those of attributes that were added to a schema, in its records; the schema is locked against writers. */
    void added(Tx tx, ProjectTables tables, short schema, List<SchemaAttribute> attributes) {
        for (var attribute : attributes) {
            if (attribute.isGenerated()) {
                int filled = store.fill(tx, tables, schema, attribute, kind(attribute));
                if (kind(attribute) == ValueFormat.Kind.AUTONUMBER && filled > 0) {
                    store.take(tx, tables, schema, attribute, filled);
                }
            }
        }
    }

    /** The attributes that tell the last change. */
    static List<SchemaAttribute> ofChanges(Schema schema) {
        return of(schema).stream().filter(GeneratedValues::isOfChange).toList();
    }

    static boolean isOfChange(SchemaAttribute attribute) {
        return attribute.isFormatted(ValueFormat.Kind.UPDATED_AT) || attribute.isFormatted(ValueFormat.Kind.UPDATED_BY);
    }

    /** Those of removed attributes too: restored, they lack no value. */
    private static List<SchemaAttribute> of(Schema schema) {
        var generated = new ArrayList<SchemaAttribute>();
        for (var attribute : schema.kept()) {
            if (attribute.isGenerated()) {
                generated.add(attribute);
            }
        }
        return generated;
    }

    private static ValueFormat.Kind kind(SchemaAttribute attribute) {
        return Objects.requireNonNull(attribute.format()).kind();
    }

    private static JsonNode value(SchemaAttribute attribute, RecordRow row, long number) {
        return switch (kind(attribute)) {
            case AUTONUMBER -> JSON.numberNode(number);
            case CREATED_AT -> JSON.numberNode(micros(row.id().createdAt()));
            case CREATED_BY -> JSON.stringNode(row.createdBy().hex());
            case UPDATED_AT -> JSON.numberNode(micros(row.updatedAt()));
            case UPDATED_BY -> JSON.stringNode(row.updatedBy().hex());
            case LONG_TEXT, EMAIL, PHONE, URL, PERSON, ATTACHMENTS, CURRENCY, PERCENT, RATING, DURATION ->
                throw new IllegalArgumentException("people write it: " + attribute.name());
        };
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private static void put(ArrayNode document, SchemaAttribute attribute, JsonNode value) {
        while (document.size() <= attribute.place()) {
            document.addNull();
        }
        document.set(attribute.place(), value);
    }
}
