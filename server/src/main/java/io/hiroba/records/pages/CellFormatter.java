package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectId;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SelectOption;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.ValueType;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Formats values as cells. */
final class CellFormatter {

    private static final int MAX_LENGTH = 120;
    private static final int MAX_TITLE_LENGTH = 2000;

    private final Reader reader;
    private final Function<String, Optional<Cell.Item>> people;
    private final Map<String, Cell.Item> known = new HashMap<>();
    private @Nullable ProjectId project;

    /** Shows people by their ids. */
    CellFormatter(Reader reader) {
        this(reader, id -> Optional.of(new Cell.Item(RecordTitles.shortened(id), null, null, null)));
    }

    /** @param people by their ids; empty for those who are gone */
    CellFormatter(Reader reader, Function<String, Optional<Cell.Item>> people) {
        this.reader = reader;
        this.people = people;
    }

    /** Files lead to those of this project. */
    CellFormatter of(ProjectId of) {
        project = of;
        return this;
    }

    /** The cell of a value, as in the API, that is not a reference. */
    Cell of(SchemaAttribute attribute, @Nullable JsonNode value) {
        if (value == null || value.isNull() || value.isMissingNode()) {
            return new Cell(attribute.name(), attribute.label(), "none", "", null, null);
        }
        if (attribute.format() != null && attribute.type() != ValueType.DATETIME) {
            return formatted(attribute, attribute.format(), value);
        }
        return switch (attribute.type()) {
            case TEXT ->
                attribute.isSelect()
                        ? choice(attribute, attribute.choice(value.asString()))
                        : cut(attribute, "text", value.asString());
            case NUMERIC -> cut(attribute, "number", FormValues.number(value));
            case DATE ->
                new Cell(
                        attribute.name(),
                        attribute.label(),
                        "date",
                        FormValues.day(value.asString()).map(reader::date).orElseGet(value::asString),
                        null,
                        null);
            case DATETIME ->
                new Cell(
                        attribute.name(),
                        attribute.label(),
                        "date",
                        FormValues.moment(value).map(reader::dateTime).orElseGet(value::asString),
                        FormValues.moment(value).map(reader::exact).orElse(null),
                        null);
            case BOOL ->
                value.asBoolean()
                        ? new Cell(attribute.name(), attribute.label(), "yes", reader.text("records.yes"), null, null)
                        : new Cell(attribute.name(), attribute.label(), "no", reader.text("records.no"), null, null);
            case JSONB -> cut(attribute, "json", Documents.exact().writeValueAsString(value));
            case MULTI_SELECT -> chips(attribute, value);
        };
    }

    /** As {@link #of}, with a long text as a whole. */
    Cell whole(SchemaAttribute attribute, @Nullable JsonNode value) {
        return attribute.isFormatted(ValueFormat.Kind.LONG_TEXT) && value != null && value.isString()
                ? new Cell(attribute.name(), attribute.label(), "prose", value.stringValue(), null, null)
                : of(attribute, value);
    }

    private Cell formatted(SchemaAttribute attribute, ValueFormat format, JsonNode value) {
        return switch (format.kind()) {
            case LONG_TEXT -> cut(attribute, "text", Markdown.text(value.asString()));
            case EMAIL -> contact(attribute, format, "mailto:", value.asString());
            case PHONE -> contact(attribute, format, "tel:", value.asString());
            case URL -> contact(attribute, format, "", value.asString());
            case CURRENCY ->
                cut(
                        attribute,
                        "number",
                        reader.money(value.decimalValue(), Objects.requireNonNullElse(format.currency(), "")));
            case PERCENT -> cut(attribute, "number", reader.percent(value.decimalValue()));
            case DURATION -> cut(attribute, "number", ValueFormat.duration(value.decimalValue()));
            case RATING -> rating(attribute, value.decimalValue());
            case AUTONUMBER -> cut(attribute, "number", FormValues.number(value));
            case PERSON, CREATED_BY, UPDATED_BY ->
                Cell.of(
                        attribute,
                        "people",
                        value.isArray()
                                ? value.valueStream()
                                        .map(each -> person(each.asString()))
                                        .toList()
                                : List.of(person(value.asString())));
            case ATTACHMENTS ->
                Cell.of(attribute, "files", value.valueStream().map(this::file).toList());
            case CREATED_AT, UPDATED_AT -> throw new IllegalArgumentException("a moment: " + attribute.name());
        };
    }

    private Cell.Item file(JsonNode file) {
        var name = file.path("name").asString("");
        var id = file.path("id").asString("");
        if (project == null || !Ids.isId(id)) {
            return new Cell.Item(name, null, null, null);
        }
        var path = RecordPaths.attachment(project, id);
        return new Cell.Item(name, path, null, file.path("thumbnail").asBoolean(false) ? path + "/thumbnail" : null);
    }

    private Cell.Item person(String id) {
        return known.computeIfAbsent(
                id,
                any -> people.apply(any)
                        .orElseGet(() -> new Cell.Item(reader.text("records.record-by-deleted"), null, null, null)));
    }

    /** A text that leads to whom or what it names; only as far as it has the format. */
    private static Cell contact(SchemaAttribute attribute, ValueFormat format, String scheme, String text) {
        if (!format.fits(text)) {
            return cut(attribute, "text", text);
        }
        var href = scheme.equals("tel:") ? scheme + text.replaceAll("[^0-9+]", "") : scheme + text;
        return new Cell(attribute.name(), attribute.label(), "link", cut(text), text, href);
    }

    /** The average of marks is a number. */
    private static Cell rating(SchemaAttribute attribute, BigDecimal mark) {
        int marks = attribute.marks();
        boolean shown = mark.stripTrailingZeros().scale() <= 0
                && mark.signum() > 0
                && mark.compareTo(BigDecimal.valueOf(marks)) <= 0;
        return shown
                ? new Cell(
                        attribute.name(),
                        attribute.label(),
                        "rating",
                        stars(mark.intValue(), marks),
                        mark.intValue() + " / " + marks,
                        null)
                : cut(attribute, "number", mark.toPlainString());
    }

    static String stars(int mark, int marks) {
        return "★".repeat(mark) + "☆".repeat(Math.max(0, marks - mark));
    }

    private static Cell choice(SchemaAttribute attribute, SelectOption option) {
        return new Cell(
                attribute.name(),
                attribute.label(),
                "text",
                cut(option.label()),
                option.title() == null ? null : option.value(),
                null,
                option.color(),
                List.of());
    }

    private static Cell chips(SchemaAttribute attribute, JsonNode value) {
        var chips = value.valueStream()
                .map(each -> attribute.choice(each.asString()))
                .toList();
        var text = chips.stream().map(SelectOption::label).collect(Collectors.joining(", "));
        return new Cell(attribute.name(), attribute.label(), "chips", cut(text), null, null, null, chips);
    }

    /** The cell of a reference to a record with this title. */
    static Cell link(SchemaAttribute attribute, String title, String href) {
        return new Cell(attribute.name(), attribute.label(), "link", cut(title), title, href);
    }

    private static Cell cut(SchemaAttribute attribute, String kind, String text) {
        var shown = cut(text);
        return new Cell(
                attribute.name(),
                attribute.label(),
                kind,
                shown,
                shown.equals(text) ? null : ended(text, MAX_TITLE_LENGTH),
                null);
    }

    static String cut(String text) {
        return ended(text, MAX_LENGTH);
    }

    private static String ended(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "…";
    }
}
