package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.InputMapping.MissingValue;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** An attribute that the sagas of a workflow can be found by, made of the payload when a saga is started. */
public record SearchAttribute(String name, Type type, InputMapping value) {

    /** The form of a name; no dot, which parameters put after it. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

    /** The longest text. */
    public static final int MAX_TEXT_LENGTH = 255;

    private static final int MAX_DIGITS = 40;
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?([eE][-+]?[0-9]{1,2})?");
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /** The type of a value, each with a column and an index of its own. */
    public enum Type {
        STRING,
        NUMBER,
        BOOLEAN,
        DATE;

        /** {@code text} in the form that the database reads; empty where it is not of this type. */
        public Optional<String> parse(String text) {
            return switch (this) {
                case STRING ->
                    text.length() <= MAX_TEXT_LENGTH && text.indexOf('\0') < 0 ? Optional.of(text) : Optional.empty();
                case NUMBER -> number(text);
                case BOOLEAN -> text.equals("true") || text.equals("false") ? Optional.of(text) : Optional.empty();
                case DATE -> date(text).map(Instant::toString);
            };
        }

        /** What a value of this type must be. */
        public Text rule() {
            return switch (this) {
                case STRING -> Text.of("saga.field.attribute-string", "max", MAX_TEXT_LENGTH);
                case NUMBER -> Text.of("saga.field.attribute-number");
                case BOOLEAN -> Text.of("saga.field.attribute-boolean");
                case DATE -> Text.of("saga.field.attribute-date");
            };
        }
    }

    /** The value for a saga, in the form that the database reads; empty where there is none. */
    public Optional<String> of(JsonNode payload) throws MissingValue {
        var made = value.apply(payload, Map.of());
        if (made.isNull() || made.isMissingNode()) {
            return Optional.empty();
        }
        boolean isOfType = switch (type) {
            case STRING, DATE -> made.isString();
            case NUMBER -> made.isNumber();
            case BOOLEAN -> made.isBoolean();
        };
        return Optional.of(Optional.of(made.asString(""))
                .filter(text -> isOfType)
                .flatMap(type::parse)
                .orElseThrow(() -> new MissingValue(name, type.rule())));
    }

    private static Optional<String> number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        var number = new BigDecimal(text).stripTrailingZeros();
        return number.precision() <= MAX_DIGITS && Math.abs(number.scale()) <= MAX_DIGITS
                ? Optional.of(number.toPlainString())
                : Optional.empty();
    }

    /** A moment, or the beginning of a day in UTC. */
    private static Optional<Instant> date(String text) {
        try {
            var moment = text.length() == "2027-01-31".length()
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
            return moment.isBefore(EARLIEST) || moment.isAfter(LATEST) ? Optional.empty() : Optional.of(moment);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
