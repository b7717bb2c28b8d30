package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ValueFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of the schema editor: an attribute as typed.
 *
 * @param place its position in the form
 * @param isNew whether its name and type can be edited
 * @param values the typed values by field
 * @param faults the errors by field
 */
public record AttributeRow(int place, boolean isNew, Map<String, String> values, Map<String, Text> faults) {

    /** Before the type of an attribute with lists of people or records. */
    static final String MANY = "many.";

    /** The fields that have a value though nothing is typed. */
    private static final Set<String> CHOSEN = Set.of("type", "function");

    /** The fields that are folded. */
    private static final List<String> MORE =
            List.of("default", "min", "max", "pattern", "enum", "prefixSearch", "currency");

    public AttributeRow {
        values = Map.copyOf(values);
        faults = Map.copyOf(faults);
    }

    static AttributeRow blank(int place) {
        return new AttributeRow(place, true, Map.of("type", "text"), Map.of());
    }

    /** Whether nothing but a type is set. */
    boolean isBlank() {
        return values.entrySet().stream()
                .allMatch(part ->
                        CHOSEN.contains(part.getKey()) || part.getValue().isBlank());
    }

    /** The way in which its values are computed; null if they are written. */
    public ComputedFields.@Nullable Kind computed() {
        return ComputedFields.Kind.named(isNew ? type() : value("computed")).orElse(null);
    }

    /** The prefix of its input names. */
    public String prefix() {
        return "a" + place + ".";
    }

    public String name() {
        return value("name");
    }

    /**
     * The type, with a point and the format if it has one, or {@code to:} and the name of a schema for a reference; after {@link #MANY} that of
     * each in a list.
     */
    public String type() {
        return value("type");
    }

    public String value(String part) {
        return values.getOrDefault(part, "");
    }

    public boolean isOn(String part) {
        return !value(part).isEmpty();
    }

    public @Nullable Text error(String part) {
        return faults.get(part);
    }

    public List<String> errors(Reader reader) {
        return faults.entrySet().stream()
                // That of a new one is shown at its fields.
                .filter(fault -> !fault.getKey().equals("computed") || !isNew || computed() == null)
                .map(fault -> fault.getKey().isEmpty()
                        ? reader.sentence(fault.getValue())
                        : reader.text(
                                "records.attribute-fault", "part", label(fault.getKey()), "message", fault.getValue()))
                .toList();
    }

    public boolean hasMore() {
        return MORE.stream().anyMatch(part -> isOn(part) || faults.containsKey(part));
    }

    /** The format after the type. */
    Optional<ValueFormat.Kind> format() {
        return ValueFormat.Kind.named(type().substring(type().lastIndexOf('.') + 1));
    }

    public Text typeLabel() {
        var kind = isNew ? null : computed();
        return kind == null
                ? writtenLabel()
                : Text.of("records.computed-kind", "kind", kind.title(), "type", writtenLabel());
    }

    private Text writtenLabel() {
        return switch (type()) {
            case "text" -> Text.of("records.attribute-text");
            case "numeric" -> Text.of("records.attribute-number");
            case "date" -> Text.of("records.attribute-date");
            case "datetime" -> Text.of("records.attribute-datetime");
            case "bool" -> Text.of("records.attribute-bool");
            case "jsonb" -> Text.of("records.attribute-json");
            case "multi_select" -> Text.of("records.attribute-multi");
            case "many.text.person" -> Text.of("records.attribute-people");
            default ->
                type().startsWith(MANY + "to:")
                        ? Text.of("records.attribute-links-to", "schema", type().substring((MANY + "to:").length()))
                        : type().startsWith("to:")
                                ? Text.of("records.attribute-link", "schema", type().substring("to:".length()))
                                : format().map(ValueFormat.Kind::title).orElseGet(() -> Text.verbatim(type()));
        };
    }

    /** Its constraints in words. */
    public Text words() {
        var words = new ArrayList<Text>();
        var kind = computed();
        if (kind != null) {
            words.add(ComputedFields.words(kind, values));
        }
        if (isOn("computing")) {
            words.add(Text.of("records.computed-running"));
        }
        if (isOn("required")) {
            words.add(Text.of("records.constraint-required"));
        }
        if (isOn("unique")) {
            words.add(Text.of("records.constraint-unique"));
        }
        if (isOn("min")) {
            words.add(Text.of("records.constraint-at-least", "min", bound("min")));
        }
        if (isOn("max")) {
            words.add(Text.of("records.constraint-at-most", "max", bound("max")));
        }
        if (isOn("enum")) {
            words.add(
                    Text.of("records.constraint-one-of", "values", value("enum").replace("\n", ", ")));
        }
        if (isOn("pattern")) {
            words.add(Text.of("records.constraint-pattern", "pattern", value("pattern")));
        }
        return FormFields.joined(words).orElse(Text.verbatim(""));
    }

    private String bound(String part) {
        return type().equals("datetime") ? value(part).replace('T', ' ') : value(part);
    }

    private static Text label(String part) {
        return switch (part) {
            case "name" -> Text.of("records.name");
            case "type" -> Text.of("records.attribute-type");
            case "required" -> Text.of("records.attribute-required");
            case "unique" -> Text.of("records.attribute-unique");
            case "default" -> Text.of("records.attribute-default");
            case "min" -> Text.of("records.attribute-min");
            case "max" -> Text.of("records.attribute-max");
            case "pattern" -> Text.of("records.attribute-pattern");
            case "enum" -> Text.of("records.attribute-choices");
            case "prefixSearch" -> Text.of("records.attribute-prefix");
            case "format" -> Text.of("records.format");
            case "currency" -> Text.of("records.format-currency");
            case "references" -> Text.of("records.attribute-the-link");
            case "computed" -> Text.of("records.computed-heading");
            default -> Text.verbatim(part);
        };
    }

    AttributeRow with(Map<String, Text> wrong) {
        return new AttributeRow(place, isNew, values, wrong);
    }
}
