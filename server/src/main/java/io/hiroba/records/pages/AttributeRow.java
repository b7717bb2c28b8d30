package io.hiroba.records.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of the schema editor: an attribute as typed.
 *
 * @param place its position in the form
 * @param isNew whether its name and type can be edited
 * @param values the typed values by field
 * @param faults the errors by field
 */
public record AttributeRow(int place, boolean isNew, Map<String, String> values, Map<String, String> faults) {

    /** The fields that are folded. */
    private static final List<String> MORE = List.of("default", "min", "max", "pattern", "enum", "prefixSearch");

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
                .allMatch(
                        part -> part.getKey().equals("type") || part.getValue().isBlank());
    }

    /** The prefix of its input names. */
    public String prefix() {
        return "a" + place + ".";
    }

    public String name() {
        return value("name");
    }

    /** The type, or {@code to:} and the name of a schema for a reference. */
    public String type() {
        return value("type");
    }

    public String value(String part) {
        return values.getOrDefault(part, "");
    }

    public boolean isOn(String part) {
        return !value(part).isEmpty();
    }

    public @Nullable String error(String part) {
        return faults.get(part);
    }

    public List<String> errors() {
        return faults.entrySet().stream()
                .map(fault -> (fault.getKey().isEmpty() ? "" : label(fault.getKey()) + " ") + fault.getValue() + ".")
                .toList();
    }

    public boolean hasMore() {
        return MORE.stream().anyMatch(part -> isOn(part) || faults.containsKey(part));
    }

    public String typeLabel() {
        return switch (type()) {
            case "text" -> "Text";
            case "numeric" -> "Number";
            case "date" -> "Date and time";
            case "bool" -> "Yes or no";
            case "jsonb" -> "JSON";
            default -> "Link to " + type().substring(type().indexOf(':') + 1);
        };
    }

    public String words() {
        var words = new ArrayList<String>();
        if (isOn("required")) {
            words.add("required");
        }
        if (isOn("unique")) {
            words.add("unique");
        }
        if (isOn("min")) {
            words.add("at least " + value("min"));
        }
        if (isOn("max")) {
            words.add("at most " + value("max"));
        }
        if (isOn("enum")) {
            words.add("one of " + value("enum").replace("\n", ", "));
        }
        if (isOn("pattern")) {
            words.add("like " + value("pattern"));
        }
        return String.join(", ", words);
    }

    private static String label(String part) {
        return switch (part) {
            case "min" -> "Minimum";
            case "max" -> "Maximum";
            case "enum" -> "Choices";
            case "references" -> "The link";
            default -> Character.toUpperCase(part.charAt(0)) + part.substring(1);
        };
    }

    AttributeRow with(Map<String, String> wrong) {
        return new AttributeRow(place, isNew, values, wrong);
    }
}
