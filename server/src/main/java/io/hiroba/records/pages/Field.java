package io.hiroba.records.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One input of a record's form.
 *
 * @param value as it is typed
 * @param shown what a reference is called
 * @param newer what the value is by now, where somebody else changed it meanwhile
 */
public record Field(
        String attribute,
        Kind kind,
        String value,
        boolean required,
        boolean readOnly,
        List<String> options,
        @Nullable String hint,
        @Nullable String shown,
        @Nullable String error,
        @Nullable String newer) {

    /** What it is typed into. */
    public enum Kind {
        LINE,
        TEXT,
        NUMBER,
        MOMENT,
        CHECK,
        YES_NO,
        CHOICE,
        JSON,
        REFERENCE
    }

    public Field {
        options = List.copyOf(options);
    }

    /** Its name in the form, which no other field of the form has. */
    public String name() {
        return "v." + attribute;
    }

    /** The id of its input. */
    public String id() {
        return "v-" + attribute;
    }

    /** The type of its input, if it is typed into a line. */
    public String type() {
        return kind == Kind.MOMENT ? LocalMoments.input(value) : "text";
    }

    public boolean isWide() {
        return kind == Kind.TEXT || kind == Kind.JSON;
    }

    Field withError(@Nullable String message) {
        return new Field(attribute, kind, value, required, readOnly, options, hint, shown, message, newer);
    }

    Field withShown(@Nullable String title) {
        return new Field(attribute, kind, value, required, readOnly, options, hint, title, error, newer);
    }

    Field withNewer(@Nullable String text) {
        return new Field(attribute, kind, value, required, readOnly, options, hint, shown, error, text);
    }
}
