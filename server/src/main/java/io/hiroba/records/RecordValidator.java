package io.hiroba.records;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

/**
 * Validates the values that callers send and builds documents from them. It does not query the database: unique values
 * and references are checked by {@link IntegrityChecks}.
 */
public final class RecordValidator {

    private static final int MAX_SIZE = 1 << 20;

    /** The fields that nobody knows of which an answer tells: a request may have a million. */
    static final int MAX_UNKNOWN = 100;

    private static final int SCALAR = 8;
    private static final Pattern IN_BATCH = Pattern.compile("#(\\d{1,4})");

    private final RecordAccess recordAccess;
    private final List<RowId> batch;

    /** @param batch the records created together: the reference {@code #3} means the fourth of them */
    public RecordValidator(RecordAccess recordAccess, List<RowId> batch) {
        this.recordAccess = recordAccess;
        this.batch = batch;
    }

    /** A new record: missing values get their default. */
    public Draft created(JsonNode given) {
        return read(null, given, false);
    }

    /** A record with exactly the given values, except for attributes that the caller may not write. */
    public Draft replaced(ArrayNode before, JsonNode given) {
        return read(before, given, false);
    }

    /** A record with the given values changed; null removes one. */
    public Draft patched(ArrayNode before, JsonNode given) {
        return read(before, given, true);
    }

    private Draft read(@Nullable ArrayNode before, JsonNode given, boolean merged) {
        var errors = new ArrayList<FieldError>();
        var values = new ArrayList<JsonNode>();
        if (!given.isObject()) {
            return new Draft(document(values), List.of(new FieldError("", Text.of("records.field.values-object"))));
        }
        var sent = new @Nullable JsonNode[recordAccess.schema().places()];
        for (var property : given.properties()) {
            var name = property.getKey();
            var attribute = recordAccess.attribute(name);
            if (attribute.isEmpty() && errors.size() >= MAX_UNKNOWN) {
                break;
            }
            if (attribute.isEmpty()) {
                errors.add(new FieldError(
                        name,
                        Text.of(
                                "records.field.no-attribute",
                                "schema",
                                recordAccess.schema().name())));
            } else if (!recordAccess.canWrite(attribute.get())) {
                errors.add(new FieldError(name, Text.of("records.field.read-only")));
            } else if (sent[attribute.get().place()] == null) {
                sent[attribute.get().place()] = property.getValue();
            } else {
                // By its name and by a former one or the id.
                errors.add(new FieldError(name, Text.of("records.field.twice")));
            }
        }
        for (int place = 0; place < sent.length; place++) {
            values.add(JsonNodeFactory.instance.nullNode());
        }
        for (var attribute : recordAccess.schema().attributes()) {
            values.set(attribute.place(), value(attribute, before, sent[attribute.place()], merged, errors));
        }
        if (before != null) {
            // Restored, an attribute has its values again.
            recordAccess
                    .schema()
                    .removed()
                    .forEach(each -> values.set(each.attribute().place(), Documents.value(before, each.attribute())));
        }
        convert(before, values);
        var document = document(values);
        if (errors.isEmpty()) {
            requireReadable(document, errors);
            requireSize(document, errors);
        }
        return new Draft(document, errors);
    }

    /**
     * Has values whose type is being changed follow. One that stays as it was is left to the conversion, so that a write that changes
     * nothing changes nothing.
     */
    private void convert(@Nullable ArrayNode before, List<JsonNode> values) {
        for (var conversion : recordAccess.schema().conversions()) {
            if (conversion.doneAt() == null) {
                var value = values.get(conversion.from().place());
                values.set(
                        conversion.to().place(),
                        before != null && Documents.same(Documents.value(before, conversion.from()), value)
                                ? Documents.value(before, conversion.to())
                                : conversion.convertOrNull(value));
            }
        }
    }

    private JsonNode value(
            SchemaAttribute attribute,
            @Nullable ArrayNode before,
            @Nullable JsonNode sent,
            boolean merged,
            List<FieldError> errors) {
        boolean writes = recordAccess.canWrite(attribute);
        JsonNode value;
        if (sent != null) {
            value = isNone(attribute, sent) ? JsonNodeFactory.instance.nullNode() : stored(attribute, sent, errors);
            if (attribute.isAttachments() && before != null) {
                value = described(value, Documents.value(before, attribute));
            }
        } else if (before != null && (merged || !writes)) {
            return Documents.value(before, attribute);
        } else {
            value = attribute.initial() == null ? JsonNodeFactory.instance.nullNode() : attribute.initial();
        }
        if (value.isNull() && attribute.required()) {
            errors.add(missing(attribute, writes));
        }
        return value;
    }

    /** Files that were there before are described already. */
    private static JsonNode described(JsonNode files, JsonNode before) {
        var known = new HashMap<String, JsonNode>();
        before.valueStream().forEach(each -> known.put(each.path("id").asString(""), each));
        var list = JsonNodeFactory.instance.arrayNode();
        files.valueStream()
                .forEach(each -> list.add(known.getOrDefault(each.path("id").asString(""), each)));
        return files.isArray() ? list : files;
    }

    /** A list without elements is no value. */
    private static boolean isNone(SchemaAttribute attribute, JsonNode sent) {
        return sent.isNull() || ((attribute.isList() || attribute.isAttachments()) && sent.isArray() && sent.isEmpty());
    }

    private FieldError missing(SchemaAttribute attribute, boolean writes) {
        if (writes) {
            return new FieldError(attribute.name(), Text.of("http.field.required"));
        }
        return recordAccess.canRead(attribute)
                ? new FieldError(attribute.name(), Text.of("records.field.required-read-only"))
                // The name of a hidden attribute is not disclosed.
                : new FieldError("", Text.of("records.field.hidden-required"));
    }

    private JsonNode stored(SchemaAttribute attribute, JsonNode sent, List<FieldError> errors) {
        try {
            return Constraints.stored(attribute, resolved(attribute, sent));
        } catch (InvalidValueException e) {
            errors.add(new FieldError(attribute.name(), e.reason()));
            // A placeholder, so that the value is not reported as missing too.
            return StringNode.valueOf("");
        }
    }

    private JsonNode resolved(SchemaAttribute attribute, JsonNode sent) throws InvalidValueException {
        if (attribute.references() == null) {
            return sent;
        }
        if (attribute.isList() && sent.isArray()) {
            var list = JsonNodeFactory.instance.arrayNode();
            for (var each : sent) {
                list.add(inBatch(attribute, each));
            }
            return list;
        }
        return inBatch(attribute, sent);
    }

    private JsonNode inBatch(SchemaAttribute attribute, JsonNode sent) throws InvalidValueException {
        if (!sent.isString()) {
            return sent;
        }
        var matcher = IN_BATCH.matcher(sent.stringValue());
        if (!matcher.matches()) {
            return sent;
        }
        int index = Integer.parseInt(matcher.group(1));
        if (index >= batch.size()
                || !Objects.equals(attribute.references(), recordAccess.schema().id())) {
            throw new InvalidValueException(Text.of("records.field.not-in-request"));
        }
        return StringNode.valueOf(batch.get(index).toString());
    }

    /** A writer must be able to read the record afterwards. */
    private void requireReadable(ArrayNode document, List<FieldError> errors) {
        recordAccess.matching().ifPresent(attribute -> {
            var value = Documents.value(document, attribute);
            if (!value.isString() || !value.stringValue().equals(recordAccess.trait())) {
                errors.add(
                        recordAccess.canRead(attribute)
                                ? new FieldError(attribute.name(), Text.of("records.field.not-yours"))
                                : new FieldError("", Text.of("records.field.not-visible")));
            }
        });
        for (var test : recordAccess.rules().where()) {
            // What is generated is not there yet, and not the writer's choice.
            recordAccess
                    .schema()
                    .attribute(test.attribute())
                    .filter(each -> !each.isGenerated())
                    .ifPresent(attribute -> {
                        if (!test.matches(recordAccess.schema(), recordAccess.user(), document)) {
                            errors.add(
                                    recordAccess.canRead(attribute)
                                            ? new FieldError(attribute.name(), Text.of("records.field.not-by-rule"))
                                            : new FieldError("", Text.of("records.field.not-visible")));
                        }
                    });
        }
    }

    /** Of what people see: what is kept of removed attributes and of other types must not keep a record from being written. */
    private void requireSize(ArrayNode document, List<FieldError> errors) {
        long size = 0;
        for (var attribute : recordAccess.schema().attributes()) {
            var value = Documents.value(document, attribute);
            size += switch (value.getNodeType()) {
                case NULL -> 0;
                case STRING -> utf8(value.stringValue());
                case ARRAY, OBJECT -> Json.bytes(value).length;
                default -> SCALAR;
            };
        }
        if (size > MAX_SIZE) {
            errors.add(new FieldError("", Text.of("records.field.record-size")));
        }
    }

    private static long utf8(String text) {
        long size = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Each half of a surrogate pair counts two of the four bytes.
            size += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
        return size;
    }

    private static ArrayNode document(List<JsonNode> values) {
        int end = values.size();
        while (end > 0 && values.get(end - 1).isNull()) {
            end--;
        }
        return Documents.exact().createArrayNode().addAll(values.subList(0, end));
    }

    /**
     * A validated record before it is written.
     *
     * @param document its values by position
     * @param errors its errors by the names that the caller used; an empty name is the whole record
     */
    public record Draft(ArrayNode document, List<FieldError> errors) {

        public Draft {
            errors = List.copyOf(errors);
        }

        public boolean isGood() {
            return errors.isEmpty();
        }
    }
}
