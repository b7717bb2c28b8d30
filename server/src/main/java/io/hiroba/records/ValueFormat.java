package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The format of an attribute: what its values must look like beyond their type, and how pages ask for and show them. Values are stored,
 * indexed and compared as those of the type.
 *
 * @param currency the code of ISO 4217; of {@link Kind#CURRENCY} only
 */
public record ValueFormat(Kind kind, @Nullable String currency) {

    /** The highest mark of a rating whose maximum is not set. */
    private static final int DEFAULT_MARKS = 5;

    private static final int MAX_MARKS = 10;
    private static final int MAX_EMAIL = 254;
    private static final int MAX_URL = 2048;
    private static final int SECONDS = 3600;

    private static final Pattern EMAIL = Pattern.compile(
            "[^\\s@<>()\\[\\]\\\\,;:\"]{1,64}@([\\p{L}\\p{N}]([\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?\\.)+[\\p{L}\\p{N}-]{2,63}");
    private static final Pattern PHONE =
            Pattern.compile("\\+?(?=([^0-9]*[0-9]){3,15}[^0-9]*$)[0-9(][0-9 ()./-]{1,38}[0-9]");
    private static final Pattern URL = Pattern.compile("https?://[^\\s/?#<>\"]+[^\\s<>\"]*", Pattern.CASE_INSENSITIVE);
    private static final Pattern DURATION =
            Pattern.compile("(-?)(?:(\\d{1,9}):)?(\\d{1,9}):([0-5]\\d(?:\\.\\d{1,9})?)");
    private static final Pattern GROUPED = Pattern.compile("-?\\d{1,3}(,\\d{3})+(\\.\\d+)?");

    /** A kind of format, with the type of its values. */
    public enum Kind {
        LONG_TEXT(ValueType.TEXT),
        EMAIL(ValueType.TEXT),
        PHONE(ValueType.TEXT),
        URL(ValueType.TEXT),
        /** Members of the project, by their ids; of lists too. */
        PERSON(ValueType.TEXT),
        /** Files, each with its id, name, media type and size. */
        ATTACHMENTS(ValueType.JSONB),
        CURRENCY(ValueType.NUMERIC),
        PERCENT(ValueType.NUMERIC),
        RATING(ValueType.NUMERIC),
        DURATION(ValueType.NUMERIC),
        AUTONUMBER(ValueType.NUMERIC),
        CREATED_AT(ValueType.DATETIME),
        CREATED_BY(ValueType.TEXT),
        UPDATED_AT(ValueType.DATETIME),
        UPDATED_BY(ValueType.TEXT);

        private final ValueType type;

        Kind(ValueType type) {
            this.type = type;
        }

        /** The type of the values. */
        public ValueType type() {
            return type;
        }

        /** The name in schemas: {@code long_text}, {@code email}, … */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** What pages call it. */
        public Text title() {
            return Text.of("records.format." + label().replace('_', '-'));
        }

        /** Whether not every value of the type has the format. */
        boolean restricts() {
            return switch (this) {
                case LONG_TEXT, CURRENCY, PERCENT, DURATION -> false;
                case EMAIL,
                        PHONE,
                        URL,
                        PERSON,
                        ATTACHMENTS,
                        RATING,
                        AUTONUMBER,
                        CREATED_AT,
                        CREATED_BY,
                        UPDATED_AT,
                        UPDATED_BY -> true;
            };
        }

        /** Whether values of {@code type} may have it. */
        boolean suits(ValueType values) {
            return values == type || (this == PERSON && values == ValueType.MULTI_SELECT);
        }

        /** Whether the server sets the values, and nobody writes them. */
        public boolean isGenerated() {
            return switch (this) {
                case AUTONUMBER, CREATED_AT, CREATED_BY, UPDATED_AT, UPDATED_BY -> true;
                case LONG_TEXT, EMAIL, PHONE, URL, PERSON, ATTACHMENTS, CURRENCY, PERCENT, RATING, DURATION -> false;
            };
        }

        /** The kind by its name in schemas. */
        public static Optional<Kind> named(String label) {
            return Stream.of(values())
                    .filter(kind -> kind.label().equals(label))
                    .findFirst();
        }
    }

    /**
     * The format that is named.
     *
     * @param attribute with its type and bounds
     */
    static ValueFormat of(SchemaAttribute attribute, String label, @Nullable String currency)
            throws InvalidValueException {
        var kind = Kind.named(label).filter(each -> each.suits(attribute.type()));
        if (kind.isEmpty()) {
            throw new InvalidValueException(
                    Stream.of(Kind.values()).anyMatch(each -> each.suits(attribute.type()))
                            ? Text.of("http.field.one-of", "values", labels(attribute.type()))
                            : Text.of("records.field.format-type"));
        }
        if (attribute.references() != null || !attribute.options().isEmpty()) {
            throw new InvalidValueException(Text.of("records.field.format-choice"));
        }
        var format = new ValueFormat(kind.get(), currency(kind.get(), currency));
        var max = attribute.max();
        if (kind.get() == Kind.RATING
                && max != null
                && (!isWhole(max.decimalValue())
                        || max.decimalValue().compareTo(BigDecimal.ONE) < 0
                        || max.decimalValue().compareTo(BigDecimal.valueOf(MAX_MARKS)) > 0)) {
            throw new InvalidValueException(Text.of("records.field.format-marks", "max", MAX_MARKS));
        }
        return format;
    }

    private static String labels(ValueType type) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.suits(type))
                .map(Kind::label)
                .collect(Collectors.joining(", "));
    }

    private static @Nullable String currency(Kind kind, @Nullable String code) throws InvalidValueException {
        if (kind != Kind.CURRENCY) {
            if (code != null && !code.isEmpty()) {
                throw new InvalidValueException(Text.of("records.field.format-no-currency"));
            }
            return null;
        }
        try {
            return Currency.getInstance(Objects.requireNonNullElse(code, "").toUpperCase(Locale.ROOT))
                    .getCurrencyCode();
        } catch (IllegalArgumentException _) {
            throw new InvalidValueException(Text.of("records.field.format-currency"));
        }
    }

    /** Refuses a stored value that does not have the format of its attribute. */
    static void require(SchemaAttribute attribute, JsonNode stored) throws InvalidValueException {
        if (attribute.isList() && stored.isArray()) {
            for (var each : stored) {
                require(attribute, each);
            }
            return;
        }
        var format = attribute.format();
        if (format != null && !format.fits(attribute, stored)) {
            throw new InvalidValueException(
                    format.kind == Kind.RATING
                            ? Text.of("records.field.format-rating", "max", attribute.marks())
                            : Text.of("records.field.format-" + format.kind.label()));
        }
    }

    private boolean fits(SchemaAttribute attribute, JsonNode stored) {
        return switch (kind) {
            case LONG_TEXT,
                    ATTACHMENTS,
                    CURRENCY,
                    PERCENT,
                    DURATION,
                    AUTONUMBER,
                    CREATED_AT,
                    CREATED_BY,
                    UPDATED_AT,
                    UPDATED_BY -> true;
            case EMAIL, PHONE, URL, PERSON -> fits(stored.stringValue());
            case RATING -> {
                var mark = stored.decimalValue();
                yield isWhole(mark)
                        && mark.compareTo(BigDecimal.ONE) >= 0
                        && mark.compareTo(BigDecimal.valueOf(attribute.marks())) <= 0;
            }
        };
    }

    /** Whether a text has the format. */
    public boolean fits(String text) {
        return switch (kind) {
            case EMAIL -> text.length() <= MAX_EMAIL && EMAIL.matcher(text).matches();
            case PHONE -> PHONE.matcher(text).matches();
            case URL -> text.length() <= MAX_URL && URL.matcher(text).matches();
            case PERSON -> Ids.isId(text);
            default -> true;
        };
    }

    /** The maximum of an attribute that has none of its own; null for none. */
    @Nullable
    JsonNode max() {
        return kind == Kind.RATING ? JsonNodeFactory.instance.numberNode(DEFAULT_MARKS) : null;
    }

    private static boolean isWhole(BigDecimal number) {
        return number.stripTrailingZeros().scale() <= 0;
    }

    /** A number as people write it ({@code 25 %}, {@code 1:30:00}, {@code €1,200}) without what the format adds; else the same text. */
    public String plain(String typed) {
        var text = typed.strip();
        return switch (kind) {
            case PERCENT ->
                text.endsWith("%") || text.endsWith("％")
                        ? text.substring(0, text.length() - 1).strip()
                        : text;
            case DURATION -> seconds(text).map(BigDecimal::toPlainString).orElse(text);
            case CURRENCY -> amount(text);
            default -> text;
        };
    }

    private static Optional<BigDecimal> seconds(String text) {
        var match = DURATION.matcher(text);
        // Minutes beyond an hour are those of a duration without hours.
        if (!match.matches() || (match.group(2) != null && !match.group(3).matches("[0-5]?\\d"))) {
            return Optional.empty();
        }
        long hours = match.group(2) == null ? 0 : Long.parseLong(match.group(2));
        var seconds = BigDecimal.valueOf(hours * SECONDS + Long.parseLong(match.group(3)) * 60)
                .add(new BigDecimal(match.group(4)));
        return Optional.of(match.group(1).isEmpty() ? seconds : seconds.negate());
    }

    private String amount(String text) {
        var code = Objects.requireNonNullElse(currency, "");
        var rest = text;
        if (rest.regionMatches(true, 0, code, 0, code.length())) {
            rest = rest.substring(code.length());
        } else if (rest.regionMatches(true, rest.length() - code.length(), code, 0, code.length())) {
            rest = rest.substring(0, rest.length() - code.length());
        }
        // Signs as $, € and ￥.
        rest = rest.replaceAll("^(-?)\\p{Sc}\\s*|\\s*\\p{Sc}$", "$1").strip();
        return GROUPED.matcher(rest).matches() ? rest.replace(",", "") : rest;
    }

    /** A number of seconds as {@code h:mm:ss}. */
    public static String duration(BigDecimal seconds) {
        var whole = seconds.abs().setScale(0, RoundingMode.DOWN).toBigInteger();
        var rest = seconds.abs().subtract(new BigDecimal(whole)).stripTrailingZeros();
        var hours = whole.divideAndRemainder(BigInteger.valueOf(SECONDS));
        return "%s%s:%02d:%02d%s"
                .formatted(
                        seconds.signum() < 0 ? "-" : "",
                        hours[0],
                        hours[1].intValue() / 60,
                        hours[1].intValue() % 60,
                        rest.signum() == 0 ? "" : rest.toPlainString().substring(1));
    }
}
