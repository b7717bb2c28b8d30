package io.hiroba.cli;

import io.hiroba.cli.ClientSchema.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes a client of a project in Java: one class, which needs nothing but the JDK, from version 21. */
final class JavaClient {

    /** As many values as a factory method takes; whoever has more sets them one by one. */
    private static final int MAX_PARAMETERS = 20;

    private static final List<String> IMPORTS = List.of(
            "java.io.IOException",
            "java.io.UncheckedIOException",
            "java.math.BigDecimal",
            "java.net.URI",
            "java.net.URLEncoder",
            "java.net.http.HttpClient",
            "java.net.http.HttpRequest",
            "java.net.http.HttpResponse",
            "java.nio.charset.StandardCharsets",
            "java.time.Instant",
            "java.time.LocalDate",
            "java.util.ArrayList",
            "java.util.LinkedHashMap",
            "java.util.List",
            "java.util.Map",
            "java.util.NoSuchElementException",
            "java.util.Objects",
            "java.util.Optional",
            "java.util.function.Function",
            "java.util.function.Supplier",
            "java.util.stream.Stream");

    private static final List<String> TYPES = List.of(
            "Row",
            "Page",
            "Attachment",
            "HirobaException",
            "Query",
            "Table",
            "Values",
            "Json",
            "T",
            "V",
            "Object",
            "String",
            "Enum",
            "Override",
            "Integer",
            "Long",
            "Number",
            "Boolean",
            "Iterable",
            "StringBuilder",
            "Thread",
            "RuntimeException",
            "IllegalArgumentException",
            "IllegalStateException",
            "InterruptedException",
            "SafeVarargs",
            "SuppressWarnings",
            "Record",
            "Void");

    private static final List<String> CONTEXTUAL = List.of("var", "record", "yield", "sealed", "permits");

    /** Methods of the client, of values and of all objects. */
    private static final List<String> MEMBERS = List.of(
            "getClass",
            "hashCode",
            "equals",
            "clone",
            "toString",
            "notify",
            "notifyAll",
            "wait",
            "finalize",
            "test",
            "and",
            "or",
            "not",
            "list",
            "attachment",
            "plain",
            "object",
            "encoded",
            "send",
            "refused",
            "value",
            "values",
            "required",
            "put",
            "of",
            "http",
            "base",
            "token",
            "_");

    private static final Set<String> KEYWORDS = Set.of(
            "abstract",
            "assert",
            "boolean",
            "break",
            "byte",
            "case",
            "catch",
            "char",
            "class",
            "const",
            "continue",
            "default",
            "do",
            "double",
            "else",
            "enum",
            "extends",
            "final",
            "finally",
            "float",
            "for",
            "goto",
            "if",
            "implements",
            "import",
            "instanceof",
            "int",
            "interface",
            "long",
            "native",
            "new",
            "package",
            "private",
            "protected",
            "public",
            "return",
            "short",
            "static",
            "strictfp",
            "super",
            "switch",
            "synchronized",
            "this",
            "throw",
            "throws",
            "transient",
            "try",
            "void",
            "volatile",
            "while",
            "true",
            "false",
            "null",
            "_");

    private final String className;
    private final StringBuilder tables = new StringBuilder();
    private final StringBuilder types = new StringBuilder();
    private final ClientIdentifiers typeNames;
    private final Map<String, String> tableNames;

    private JavaClient(String className, List<ClientSchema> schemas) {
        this.className = className;
        this.tableNames = identifiers(MEMBERS)
                .members(schemas.stream().map(ClientSchema::name).toList());
        var taken = new ArrayList<>(TYPES);
        taken.addAll(KEYWORDS);
        taken.addAll(CONTEXTUAL);
        taken.add(className);
        IMPORTS.forEach(each -> taken.add(each.substring(each.lastIndexOf('.') + 1)));
        typeNames = new ClientIdentifiers(taken);
    }

    /** @param runtime what all clients have */
    static String of(String runtime, String packageName, String className, String project, List<ClientSchema> schemas) {
        var client = new JavaClient(className, schemas);
        schemas.forEach(client::add);
        var head = packageName.isEmpty() ? "" : "package " + packageName + ";\n\n";
        return """
                // Made by `hiroba records client`. Make it again when a schema changes.
                %s%s

                /** A typed client of a project of Hiroba. */
                public final class %s {

                    /** The id of the project that the client was made for. */
                    public static final String PROJECT = %s;
                %s
                %s
                %s""".formatted(
                        head,
                        IMPORTS.stream().map("import %s;"::formatted).collect(Collectors.joining("\n")),
                        className,
                        quoted(project),
                        client.tables,
                        client.types,
                        runtime.replace("@CLASS@", className));
    }

    private void add(ClientSchema schema) {
        var type = typeNames.type(schema.name());
        tables.append("""

                    /** The records of %s. */
                    public Table<%s> %s() {
                        return new Table<>(this, %s, %s::new);
                    }
                """.formatted(
                ClientSchema.comment(schema.name()), type, tableNames.get(schema.name()), quoted(schema.name()), type));
        var names = identifiers(MEMBERS)
                .members(schema.fields().stream().map(Field::name).toList());
        var enums = new StringBuilder();
        var properties = new ArrayList<Property>();
        for (var field : schema.fields()) {
            var options = field.options().isEmpty() ? "" : typeNames.type(schema.name(), field.name());
            if (!options.isEmpty()) {
                enums.append(options(options, field));
            }
            properties.add(new Property(field, Objects.requireNonNull(names.get(field.name())), options));
        }
        types.append("""

                    /** A record of %s. */
                    public static final class %s extends Values {
                %s%s    }
                %s""".formatted(
                ClientSchema.comment(schema.name()),
                type,
                factory(type, properties),
                properties.stream().map(each -> each.methods(type, className)).collect(Collectors.joining()),
                enums));
    }

    /** Whether a class may be called so. */
    static boolean isName(String text) {
        return !text.isEmpty()
                && !KEYWORDS.contains(text)
                && !CONTEXTUAL.contains(text)
                && Character.isJavaIdentifierStart(text.codePointAt(0))
                && text.codePoints().allMatch(Character::isJavaIdentifierPart)
                && text.codePoints().noneMatch(Character::isIdentifierIgnorable);
    }

    private static ClientIdentifiers identifiers(List<String> words) {
        return new ClientIdentifiers(
                Stream.concat(KEYWORDS.stream(), words.stream()).toList());
    }

    private static String factory(String type, List<Property> properties) {
        var mandatory =
                properties.stream().filter(each -> each.field.mandatory()).toList();
        if (mandatory.isEmpty() || mandatory.size() > MAX_PARAMETERS) {
            return "";
        }
        return """

                        /** A new record with the values that it must have. */
                        public static %s of(%s) {
                            return new %s()%s;
                        }
                """.formatted(
                type,
                mandatory.stream().map(each -> each.type() + " " + each.member).collect(Collectors.joining(", ")),
                type,
                mandatory.stream()
                        .map(each -> "." + each.member + "(" + each.member + ")")
                        .collect(Collectors.joining()));
    }

    private static String options(String type, Field field) {
        var names = identifiers(List.of("text")).members(field.options());
        var constants = field.options().stream()
                .map(option -> "        %s(%s)".formatted(names.get(option), quoted(option)))
                .collect(Collectors.joining(",\n"));
        return """

                    /** The options of %1$s. */
                    public enum %2$s {
                %3$s;

                        private final String text;

                        %2$s(String text) {
                            this.text = text;
                        }

                        static %2$s of(Object text) {
                            for (var option : values()) {
                                if (option.text.equals(text)) {
                                    return option;
                                }
                            }
                            throw new IllegalArgumentException("an option that is newer than this client: " + text);
                        }

                        @Override
                        public String toString() {
                            return text;
                        }
                    }
                """.formatted(ClientSchema.comment(field.name()), type, constants);
    }

    /** An attribute with its methods. */
    private record Property(Field field, String member, String options) {

        private String element() {
            return switch (field.kind()) {
                case TEXT -> options.isEmpty() ? "String" : options;
                case NUMBER -> "BigDecimal";
                case DAY -> "LocalDate";
                case MOMENT -> "Instant";
                case BOOL -> "Boolean";
                case JSON -> "Object";
                case FILE -> "Attachment";
            };
        }

        String type() {
            return field.list() ? "List<" + element() + ">" : element();
        }

        private String reader(String client) {
            var each = switch (field.kind()) {
                case TEXT -> options.isEmpty() ? "String.class::cast" : options + "::of";
                case NUMBER -> "BigDecimal.class::cast";
                case DAY -> "day -> LocalDate.parse((String) day)";
                case MOMENT -> "moment -> Instant.parse((String) moment)";
                case BOOL -> "Boolean.class::cast";
                case JSON -> "json -> json";
                case FILE -> client + "::attachment";
            };
            // The parameter's type is not found out through a method reference to a cast.
            return field.list() ? "%s.<%s>list(%s)".formatted(client, element(), each) : each;
        }

        String methods(String owner, String client) {
            var name = quoted(field.name());
            var type = type();
            var getter = """

                            /** %s. */
                            public %s %s() {
                                return %s(%s, %s);
                            }
                    """.formatted(
                            ClientSchema.comment(field.note()),
                            field.required() ? type : "Optional<" + type + ">",
                            member,
                            field.required() ? "required" : "value",
                            name,
                            reader(client));
            return field.writable() ? getter + """

                            public %s %s(%s value) {
                                put(%s, value);
                                return this;
                            }
                    """.formatted(owner, member, type, name) : getter;
        }
    }

    /** A text as a literal. Controls are octal: as Unicode escapes they would be there before the literal is read. */
    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || c == 127) {
                quoted.append("\\%03o".formatted((int) c));
            } else if (c < 127 || Character.isLetterOrDigit(c)) {
                quoted.append(c);
            } else {
                quoted.append("\\u%04x".formatted((int) c));
            }
        }
        return quoted.append('"').toString();
    }
}
