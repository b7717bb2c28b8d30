package io.hiroba.platform.http;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A form that the text of a parameter must have, as its schema in the OpenAPI document says. */
enum ParameterForm {
    ID {
        @Override
        boolean matches(String text) {
            return Ids.isId(text);
        }

        @Override
        Problem refusal(String name) {
            return Ids.malformed(name);
        }
    },
    UUID {
        @Override
        boolean matches(String text) {
            return UUIDS.matcher(text).matches();
        }

        @Override
        Problem refusal(String name) {
            return Ids.malformedUuid(name);
        }
    },
    NUMBER {
        @Override
        boolean matches(String text) {
            return NUMBERS.matcher(text).matches();
        }

        @Override
        Problem refusal(String name) {
            return HttpProblem.malformedNumber(name, MAX_DIGITS);
        }
    };

    private static final int MAX_DIGITS = 9;
    private static final Pattern NUMBERS = Pattern.compile("[0-9]{1," + MAX_DIGITS + "}");
    private static final Pattern UUIDS = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    abstract boolean matches(String text);

    abstract Problem refusal(String name);

    /** Refuses a text that has another form, by the name of its parameter. */
    void check(String name, String text) {
        if (!matches(text)) {
            throw refusal(name);
        }
    }

    /** The form of a parameter's schema; none where any text will do, or the operation itself says which. */
    static Optional<ParameterForm> of(JsonNode schema) {
        if (schema.path("format").asString("").equals("uuid")) {
            return Optional.of(UUID);
        }
        if (schema.path("type").asString("").equals("integer")) {
            return Optional.of(NUMBER);
        }
        return schema.path("$ref").asString("").equals("#/components/schemas/Id") ? Optional.of(ID) : Optional.empty();
    }
}
