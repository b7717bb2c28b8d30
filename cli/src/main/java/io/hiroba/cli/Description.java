package io.hiroba.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Formats an object for people: a line per field, without missing ones. */
final class Description {

    private final JsonNode thing;
    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    private Description(JsonNode thing) {
        this.thing = thing;
    }

    static Description of(JsonNode thing) {
        return new Description(thing);
    }

    Description line(String name, String field) {
        return line(name, node -> node.path(field).asString(""));
    }

    Description line(String name, Function<JsonNode, String> value) {
        String text = Text.cell(value.apply(thing));
        if (!text.isBlank()) {
            names.add(name);
            values.add(text);
        }
        return this;
    }

    @Override
    public String toString() {
        int widest = names.stream().mapToInt(Text::width).max().orElse(0);
        var text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            text.append(names.get(i))
                    .append(" ".repeat(widest - Text.width(names.get(i)) + 2))
                    .append(values.get(i))
                    .append('\n');
        }
        return text.toString();
    }
}
