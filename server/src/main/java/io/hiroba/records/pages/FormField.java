package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.records.views.ViewDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An input of a record's form.
 *
 * @param label the name that the reader sees
 * @param value as typed
 * @param shown the title of a referenced record
 * @param newer the current value, if somebody else changed it meanwhile
 */
public record FormField(
        String attribute,
        String label,
        Kind kind,
        String value,
        boolean required,
        boolean readOnly,
        List<Filter.Choice> options,
        @Nullable String hint,
        @Nullable String shown,
        @Nullable String error,
        @Nullable String newer) {

    /** The kind of the input. */
    public enum Kind {
        LINE,
        TEXT,
        NUMBER,
        DAY,
        MOMENT,
        CHECK,
        YES_NO,
        CHOICE,
        JSON,
        REFERENCE,
        EMAIL,
        PHONE,
        URL,
        /** Markdown. */
        LONG_TEXT,
        /** Several options. */
        CHOICES,
        /** Several people or records, which are searched for; the options are those that are chosen. */
        SEVERAL,
        /** Files; the options are those that are there. */
        FILES
    }

    public FormField {
        options = List.copyOf(options);
    }

    /** Its unique name in the form. */
    public String name() {
        return "v." + attribute;
    }

    /** The name of the input of new files. */
    public String filesName() {
        return "f." + attribute;
    }

    /** The id of its input. */
    public String id() {
        return "v-" + RecordPaths.encoded(attribute);
    }

    /** The type of a single-line input. */
    public String type() {
        return switch (kind) {
            case DAY -> dayInput(value);
            case MOMENT -> Reader.inputType(value);
            case EMAIL -> "email";
            case PHONE -> "tel";
            case URL -> "url";
            default -> "text";
        };
    }

    /** The type of the input that shows {@code day} as it is: {@code date} shows nothing of what is no day. */
    static String dayInput(String day) {
        return day.isEmpty() || FormValues.day(day).isPresent() ? "date" : "text";
    }

    public boolean isWide() {
        return isText() || kind == Kind.JSON;
    }

    /** Whether an option of a list is chosen. */
    public boolean isChosen(Filter.Choice option) {
        return value.lines().anyMatch(option.value()::equals);
    }

    /** Whether the input has several lines of text. */
    public boolean isText() {
        return kind == Kind.TEXT || kind == Kind.LONG_TEXT;
    }

    /** A long text as it is shown. */
    public SafeHtml prose() {
        return SafeHtml.ofMarkdown(kind == Kind.LONG_TEXT && error == null ? value : "");
    }

    /** As a form of its own asks for it. */
    FormField of(ViewDefinition.Field field) {
        var name = field.label();
        var help = field.help();
        return new FormField(
                attribute,
                name == null || name.isBlank() ? label : name,
                kind,
                value,
                required || Boolean.TRUE.equals(field.required()),
                readOnly,
                options,
                help == null || help.isBlank() ? hint : help,
                shown,
                error,
                newer);
    }

    FormField withError(@Nullable String message) {
        return new FormField(attribute, label, kind, value, required, readOnly, options, hint, shown, message, newer);
    }

    FormField withShown(@Nullable String title) {
        return new FormField(attribute, label, kind, value, required, readOnly, options, hint, title, error, newer);
    }

    FormField withOptions(List<Filter.Choice> chosen) {
        return new FormField(attribute, label, kind, value, required, readOnly, chosen, hint, shown, error, newer);
    }

    FormField withNewer(@Nullable String text) {
        return new FormField(attribute, label, kind, value, required, readOnly, options, hint, shown, error, text);
    }
}
