package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.Documents;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SelectOption;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Formats values as cells. */
final class CellFormatter {

    private static final int MAX_LENGTH = 120;
    private static final int MAX_TITLE_LENGTH = 2000;

    private final Reader reader;

    CellFormatter(Reader reader) {
        this.reader = reader;
    }

    /** The cell of a value, as in the API, that is not a reference. */
    Cell of(SchemaAttribute attribute, @Nullable JsonNode value) {
        if (value == null || value.isNull() || value.isMissingNode()) {
            return new Cell(attribute.name(), attribute.label(), "none", "", null, null);
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
        };
    }

    private static Cell choice(SchemaAttribute attribute, SelectOption option) {
        return new Cell(
                attribute.name(),
                attribute.label(),
                "text",
                cut(option.label()),
                option.title() == null ? null : option.value(),
                null,
                option.color());
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
