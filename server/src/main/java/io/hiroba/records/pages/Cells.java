package io.hiroba.records.pages;

import io.hiroba.records.data.Documents;
import io.hiroba.records.schema.Attribute;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes cells of values. */
final class Cells {

    private static final int LONGEST = 120;
    private static final int LONGEST_TITLE = 2000;

    private final LocalMoments moments;

    Cells(LocalMoments moments) {
        this.moments = moments;
    }

    /** Of a value that is no reference; {@code value} as the outside sees it. */
    Cell of(Attribute attribute, @Nullable JsonNode value) {
        if (value == null || value.isNull() || value.isMissingNode()) {
            return new Cell(attribute.name(), "none", "", null, null);
        }
        return switch (attribute.type()) {
            case TEXT -> cut(attribute, "text", value.asString());
            case NUMERIC -> cut(attribute, "number", Typed.number(value));
            case DATE ->
                new Cell(
                        attribute.name(),
                        "date",
                        Typed.moment(value).map(moments::shown).orElseGet(value::asString),
                        value.asString(),
                        null);
            case BOOL ->
                value.asBoolean()
                        ? new Cell(attribute.name(), "yes", "Yes", null, null)
                        : new Cell(attribute.name(), "no", "No", null, null);
            case JSONB -> cut(attribute, "json", Documents.exact().writeValueAsString(value));
        };
    }

    /** Of a reference to a record that is called {@code title}. */
    static Cell link(Attribute attribute, String title, String href) {
        return new Cell(attribute.name(), "link", cut(title), title, href);
    }

    private static Cell cut(Attribute attribute, String kind, String text) {
        var shown = cut(text);
        return new Cell(attribute.name(), kind, shown, shown.equals(text) ? null : ended(text, LONGEST_TITLE), null);
    }

    static String cut(String text) {
        return ended(text, LONGEST);
    }

    private static String ended(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "…";
    }
}
