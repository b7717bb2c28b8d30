package io.hiroba.platform.http;

import io.hiroba.platform.i18n.Text;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.type.LogicalType;

/**
 * The JSON of the API: camelCase, times as ISO-8601 with milliseconds, nulls written. It is strict in what it reads: no
 * unknown, duplicate or missing field, no number for a text, nothing that PostgreSQL cannot store.
 */
public final class Json {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    /** PostgreSQL gives a number back with all its digits, and a double may have 342 of them. */
    private static final JsonMapper MAPPER = builder(400).build();

    private static final JsonMapper EXACT = builder(1000)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    private static JsonMapper.Builder builder(int maxNumberLength) {
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(64)
                                .maxStringLength(16 << 20)
                                .maxNumberLength(maxNumberLength)
                                .maxNameLength(1000)
                                .build())
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build())
                .annotationIntrospector(new RequiredComponents())
                .addModule(new SimpleModule().addSerializer(Instant.class, new InstantSerializer()))
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

    /** The mapper, for uses that the methods here do not cover. */
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
     * Reads the body of a request.
     *
     * @throws io.hiroba.platform.problem.Problem that names the invalid field
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
            throw JsonFaults.of(e, mapper, json, type);
        } catch (ArithmeticException | NumberFormatException e) {
            // Jackson does not wrap what BigDecimal throws for 1e2147483648.
            throw HttpProblem.malformedJson(Text.of("http.problem.number-range"), List.of());
        }
        if (value == null) {
            throw HttpProblem.malformedJson(Text.of("http.problem.null-body"), List.of());
        }
        return value;
    }

    /** The text of a time, always with three digits of a second's fraction, so that texts sort as times do. */
    static String time(Instant time) {
        var utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
        if (utc.getYear() < 0 || utc.getYear() > 9999) {
            return TIME.format(time);
        }
        // A page of notifications has 650 times: by hand each takes a tenth of what the formatter does.
        var text = new StringBuilder(24);
        digits(text, utc.getYear(), 1000).append('-');
        digits(text, utc.getMonthValue(), 10).append('-');
        digits(text, utc.getDayOfMonth(), 10).append('T');
        digits(text, utc.getHour(), 10).append(':');
        digits(text, utc.getMinute(), 10).append(':');
        digits(text, utc.getSecond(), 10).append('.');
        return digits(text, time.getNano() / 1_000_000, 100).append('Z').toString();
    }

    /** Appends as many digits as {@code unit}, the worth of the first of them, has. */
    private static StringBuilder digits(StringBuilder text, int number, int unit) {
        for (int rest = unit; rest > 0; rest /= 10) {
            text.append((char) ('0' + number / rest % 10));
        }
        return text;
    }

    private static final class InstantSerializer extends StdSerializer<Instant> {
        InstantSerializer() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant value, JsonGenerator json, SerializationContext context) {
            json.writeString(time(value));
        }
    }
}
