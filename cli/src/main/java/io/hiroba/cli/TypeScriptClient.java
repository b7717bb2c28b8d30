package io.hiroba.cli;

import io.hiroba.cli.ClientSchema.Field;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes a client of a project in TypeScript: types and no enums, so that it also runs with its types stripped. */
final class TypeScriptClient {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9]*");

    /** Names of types that the client uses, and words that are none. */
    private static final List<String> TYPES = List.of(
            "Day",
            "Moment",
            "Attachment",
            "Row",
            "Page",
            "Path",
            "Operator",
            "Condition",
            "Query",
            "Options",
            "HirobaError",
            "Send",
            "Table",
            "Client",
            "Promise",
            "AsyncGenerator",
            "Error",
            "JSON",
            "T",
            "New",
            "Change",
            "Array",
            "Object",
            "String",
            "Number",
            "Boolean",
            "Symbol",
            "Function",
            "any",
            "unknown",
            "never",
            "string",
            "number",
            "boolean",
            "object",
            "symbol",
            "undefined",
            "null",
            "void",
            "bigint",
            "default",
            "fetch",
            "sender",
            "matching",
            "await",
            "globalThis",
            "arguments",
            "eval",
            "let",
            "static",
            "yield",
            "implements",
            "interface",
            "package",
            "private",
            "protected",
            "public",
            "break",
            "case",
            "catch",
            "class",
            "const",
            "continue",
            "debugger",
            "delete",
            "do",
            "else",
            "enum",
            "export",
            "extends",
            "false",
            "finally",
            "for",
            "function",
            "if",
            "import",
            "in",
            "instanceof",
            "new",
            "return",
            "super",
            "switch",
            "this",
            "throw",
            "true",
            "try",
            "typeof",
            "var",
            "while",
            "with",
            "as",
            "async",
            "type");

    private final StringBuilder types = new StringBuilder();
    private final StringBuilder members = new StringBuilder();
    private final StringBuilder made = new StringBuilder();
    private final ClientIdentifiers typeNames = new ClientIdentifiers(TYPES);
    private final Map<String, String> memberNames;

    private TypeScriptClient(List<ClientSchema> schemas) {
        memberNames = new ClientIdentifiers(List.of("constructor", "prototype", "__proto__", "toString", "valueOf"))
                .members(schemas.stream().map(ClientSchema::name).toList());
    }

    /** @param runtime what all clients have */
    static String of(String runtime, String project, List<ClientSchema> schemas) {
        var client = new TypeScriptClient(schemas);
        schemas.forEach(client::add);
        return """
                %s%s
                /** The records of the project, by schema. */
                export class Client {
                %s
                  constructor(options: Options) {
                    const send = sender(options, %s);
                %s  }
                }
                """.formatted(runtime, client.types, client.members, quoted(project), client.made);
    }

    private void add(ClientSchema schema) {
        var type = typeNames.type(schema.name());
        var created = typeNames.type("New", schema.name());
        var changed = typeNames.type(schema.name(), "Change");
        types.append("\n/** A record of ")
                .append(ClientSchema.comment(schema.name()))
                .append(". */\nexport interface ")
                .append(type)
                .append(" {\n");
        for (var field : schema.fields()) {
            types.append("  /** ")
                    .append(ClientSchema.comment(field.note()))
                    .append(" */\n  ")
                    .append(name(field.name()))
                    .append(field.required() ? ": " : "?: ")
                    .append(type(field))
                    .append(";\n");
        }
        types.append("}\n");
        written(created, "What a new record of %s is made of", schema, true);
        written(changed, "What is changed in a record of %s", schema, false);
        var member = memberNames.get(schema.name());
        members.append("  readonly %s: Table<%s, %s, %s>;\n".formatted(member, type, created, changed));
        made.append("    this.%s = new Table(send, %s);\n".formatted(member, quoted(schema.name())));
    }

    private void written(String type, String what, ClientSchema schema, boolean whole) {
        types.append("\n/** ")
                .append(what.formatted(ClientSchema.comment(schema.name())))
                .append(". */\nexport interface ")
                .append(type)
                .append(" {\n");
        for (var field : schema.fields()) {
            if (field.writable()) {
                types.append("  ")
                        .append(name(field.name()))
                        .append(whole && field.mandatory() ? ": " : "?: ")
                        .append(given(field))
                        .append(field.required() ? ";\n" : " | null;\n");
            }
        }
        types.append("}\n");
    }

    private static String type(Field field) {
        var element = switch (field.kind()) {
            case TEXT ->
                field.options().isEmpty()
                        ? "string"
                        : field.options().stream().map(TypeScriptClient::quoted).collect(Collectors.joining(" | "));
            case NUMBER -> "number";
            case DAY -> "Day";
            case MOMENT -> "Moment";
            case BOOL -> "boolean";
            case JSON -> "unknown";
            case FILE -> "Attachment";
        };
        return field.list() ? "(" + element + ")[]" : element;
    }

    private static String given(Field field) {
        return field.kind() == ClientSchema.Kind.FILE ? "(string | { id: string })[]" : type(field);
    }

    private static String name(String name) {
        return PLAIN.matcher(name).matches() ? name : quoted(name);
    }

    /** A text as a literal, in which all but plain signs are escaped. */
    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isLetterOrDigit(c) || " _-.,:;+*()[]#%=!?@".indexOf(c) >= 0) {
                quoted.append(c);
            } else {
                quoted.append("\\u%04x".formatted((int) c));
            }
        }
        return quoted.append('"').toString();
    }
}
