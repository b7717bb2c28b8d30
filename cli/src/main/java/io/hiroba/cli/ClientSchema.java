package io.hiroba.cli;

import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** A schema, as far as a generated client knows it. */
record ClientSchema(String name, List<Field> fields) {

    ClientSchema {
        fields = List.copyOf(fields);
    }

    /** The kind of an attribute's values, or of the elements of lists. */
    enum Kind {
        TEXT,
        NUMBER,
        DAY,
        MOMENT,
        BOOL,
        JSON,
        FILE
    }

    /**
     * An attribute.
     *
     * @param mandatory whether a record cannot be made without it
     * @param options the values of a select; empty for any
     * @param note what is to be known of it beyond its type
     */
    record Field(
            String name,
            Kind kind,
            boolean list,
            boolean required,
            boolean writable,
            boolean mandatory,
            List<String> options,
            String note) {

        Field {
            options = List.copyOf(options);
        }

        static Field of(JsonNode attribute) {
            var type = attribute.path("type").asString("");
            boolean files = attribute.path("format").asString("").equals("attachments");
            boolean required = attribute.path("required").asBoolean(false);
            boolean writable = !attribute.path("readOnly").asBoolean(false);
            return new Field(
                    attribute.path("name").asString(""),
                    files ? Kind.FILE : kind(type),
                    files
                            || type.equals("multi_select")
                            || attribute.path("many").asBoolean(false),
                    required,
                    writable,
                    required && writable && attribute.path("default").isNull(),
                    strings(attribute.path("options")),
                    note(attribute));
        }

        private static Kind kind(String type) {
            return switch (type) {
                case "numeric" -> Kind.NUMBER;
                case "date" -> Kind.DAY;
                case "datetime" -> Kind.MOMENT;
                case "bool" -> Kind.BOOL;
                case "jsonb" -> Kind.JSON;
                default -> Kind.TEXT;
            };
        }

        private static List<String> strings(JsonNode options) {
            return StreamSupport.stream(options.spliterator(), false)
                    .map(option -> option.path("value").asString(""))
                    .toList();
        }

        private static String note(JsonNode attribute) {
            var note = new StringBuilder(attribute.path("name").asString(""));
            var title = attribute.path("title").asString("");
            if (!title.isEmpty()) {
                note.append(" (").append(title).append(')');
            }
            var target = attribute.path("references").asString("");
            if (!target.isEmpty()) {
                note.append(": the id of a record of ").append(target);
            }
            var format = attribute.path("format").asString("");
            if (!format.isEmpty()) {
                note.append(": ").append(format);
            }
            return note.toString();
        }
    }

    static ClientSchema of(JsonNode schema) {
        return new ClientSchema(
                schema.path("name").asString(""),
                StreamSupport.stream(schema.path("attributes").spliterator(), false)
                        .map(Field::of)
                        .toList());
    }

    /** Text for a comment, which it cannot end: without controls, signs that turn the direction, and escapes. */
    static String comment(String text) {
        var comment = new StringBuilder();
        text.codePoints().forEach(c -> {
            boolean plain = switch (Character.getType(c)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.SURROGATE,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR -> false;
                default -> "\\*/@{}<>&".indexOf(c) < 0;
            };
            comment.appendCodePoint(plain ? c : ' ');
        });
        return comment.toString().strip();
    }
}
