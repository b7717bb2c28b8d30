package io.hiroba.platform.http;

import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/**
 * JSON as the API speaks it: camelCase, times as ISO-8601 with milliseconds, nulls written, and strict in what it
 * reads: no unknown, doubled or missing field, no number for a text, nothing PostgreSQL could not store.
 */
public final class Json {

    private static final JsonMapper MAPPER = builder(100).build();

    private static final JsonMapper EXACT = builder(1000)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    private static JsonMapper.Builder builder(int longestNumber) {
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(64)
                                .maxStringLength(16 << 20)
                                .maxNumberLength(longestNumber)
                                .maxNameLength(1000)
                                .build())
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build())
                .annotationIntrospector(new RequiredComponents())
                .addModule(new SimpleModule().addSerializer(Instant.class, new InstantText()))
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS, MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .withCoercionConfig(
                        LogicalType.Textual,
                        textual -> textual.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }

    /** As {@link #mapper}, with numbers that keep every digit: 0.10 stays 0.10. */
    public static JsonMapper exact() {
        return EXACT;
    }

    /** The one mapper, for what the methods here do not cover. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    public static String text(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /**
     * Reads what a client sent.
     *
     * @throws io.hiroba.platform.problem.Problem that names the field at fault
     */
    public static <T> T read(String json, Class<T> type) {
        return type.cast(readAs(json, type));
    }

    /** As {@link #read}, with numbers that keep every digit. */
    public static <T> T readExact(String json, Class<T> type) {
        return type.cast(readAs(EXACT, json, type));
    }

    static Object readAs(String json, Type type) {
        return readAs(MAPPER, json, type);
    }

    private static Object readAs(JsonMapper mapper, String json, Type type) {
        if (JsonEscapes.hasUnstorable(json)) {
            throw HttpProblem.badText();
        }
        Object value;
        try {
            value = mapper.readValue(json, mapper.constructType(type));
        } catch (JacksonException e) {
            throw JsonProblems.of(e);
        } catch (ArithmeticException | NumberFormatException e) {
            // Jackson lets through what BigDecimal says of 1e2147483648.
            throw HttpProblem.malformedJson("The body holds a number that is too large or too small.", List.of());
        }
        if (value == null) {
            throw HttpProblem.malformedJson("The body must not be null.", List.of());
        }
        return value;
    }
}
