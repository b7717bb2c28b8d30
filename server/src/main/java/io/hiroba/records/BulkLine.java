package io.hiroba.records;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A line of a bulk request: one record that is to be written.
 *
 * @param number of the line, from 1
 * @param key the name that the caller gave the line, which the answer repeats; null for none
 * @param id of the record; of none if the line has no id
 * @param version the version that must be there; null for any
 * @param problem the reason why the line cannot be read; null if it can
 */
record BulkLine(
        long number,
        @Nullable String key,
        Operation operation,
        RowId id,
        @Nullable Integer version,
        JsonNode values,
        @Nullable Problem problem) {

    private static final int MAX_KEY = 200;
    private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

    /** An operation on a record. */
    enum Operation {
        CREATE("op", "key", "values"),
        /** Changes the given values. */
        UPDATE("op", "key", "id", "version", "values"),
        /** Changes the record that has the same value of a unique attribute, or creates one. */
        UPSERT("op", "key", "values"),
        DELETE("op", "key", "id", "version");

        @SuppressWarnings("ImmutableEnumChecker") // a copy that cannot be changed
        private final Set<String> fields;

        Operation(String... fields) {
            this.fields = Set.of(fields);
        }

        static Optional<Operation> named(String name) {
            return Stream.of(values())
                    .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst();
        }
    }

    static BulkLine of(long number, byte[] text) {
        JsonNode json;
        try {
            json = Json.readExact(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(text))
                            .toString(),
                    JsonNode.class);
        } catch (CharacterCodingException e) {
            return refused(number, null, List.of(new FieldError("body", Text.of("records.field.text-storable"))));
        } catch (Problem e) {
            return refused(number, null, HttpProblem.onLine(number, e));
        }
        var key = json.path("key").isString() ? json.path("key").stringValue() : null;
        var operation = Operation.named(json.path("op").asString(""));
        if (!json.isObject() || operation.isEmpty() || (key != null && key.length() > MAX_KEY)) {
            var field = operation.isEmpty() ? "op" : "key";
            var message = operation.isEmpty()
                    ? Text.of("http.field.one-of", "values", "create, update, upsert, delete")
                    : Text.of("records.field.bulk-key", "max", MAX_KEY);
            return refused(number, null, List.of(new FieldError(field, message)));
        }
        return of(number, key, operation.get(), json);
    }

    private static BulkLine of(long number, @Nullable String key, Operation operation, JsonNode json) {
        var errors = new ArrayList<FieldError>();
        for (var name : json.propertyNames()) {
            if (!operation.fields.contains(name) && errors.size() < RecordValidator.MAX_UNKNOWN) {
                errors.add(new FieldError(name, Text.of("http.field.unknown")));
            }
        }
        if (key == null && json.has("key")) {
            errors.add(new FieldError("key", Text.of("records.field.bulk-key", "max", MAX_KEY)));
        }
        var id = RowId.NONE;
        if (operation.fields.contains("id")) {
            var given = RowId.find(json.path("id").asString(""));
            id = given.orElse(RowId.NONE);
            if (given.isEmpty()) {
                errors.add(new FieldError("id", Text.of("records.field.record-id")));
            }
        }
        var version = json.path("version");
        boolean known = version.isIntegralNumber() && version.canConvertToInt();
        if (!known && !version.isNull() && !version.isMissingNode()) {
            errors.add(new FieldError("version", Text.of("records.field.version")));
        }
        var values = json.path("values");
        if (operation.fields.contains("values") && !values.isObject()) {
            errors.add(new FieldError("values", Text.of("records.field.values-object")));
        }
        return errors.isEmpty()
                ? new BulkLine(number, key, operation, id, known ? version.intValue() : null, values, null)
                : refused(number, key, errors);
    }

    static BulkLine tooLong(long number, long max) {
        return refused(
                number, null, List.of(new FieldError("body", Text.of("records.field.bulk-line", "size", max >> 20))));
    }

    private static BulkLine refused(long number, @Nullable String key, List<FieldError> errors) {
        return refused(number, key, RecordsProblem.invalid(Text.of("records.problem.request-invalid"), errors));
    }

    private static BulkLine refused(long number, @Nullable String key, Problem problem) {
        return new BulkLine(number, key, Operation.CREATE, RowId.NONE, null, NOTHING, problem);
    }

    boolean isGood() {
        return problem == null;
    }

    Problem reason() {
        return Objects.requireNonNull(problem);
    }
}
