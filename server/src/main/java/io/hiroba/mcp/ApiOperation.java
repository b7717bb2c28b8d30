package io.hiroba.mcp;

import io.hiroba.platform.http.Contract;
import io.hiroba.platform.http.InternalCalls;
import io.hiroba.platform.id.Ids;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * An operation of the OpenAPI document as a function: one object of arguments in, JSON out. The parameters and the properties of the
 * body are the arguments; a body of another form is the argument {@code body}.
 */
final class ApiOperation {

    private static final String BODY = "body";

    /** The headers that are arguments, by their names. */
    private static final Map<String, String> HEADERS =
            Map.of("Idempotency-Key", "idempotencyKey", "If-Match", "ifMatch");

    /** The parameters that begin with what somebody is looking for. */
    private static final Set<String> QUERIES = Set.of("q", "nicknamePrefix");

    private static final String PROJECT = "project";
    private static final int MAX_PROJECTS = 100;

    /** Of whole numbers: more than any that is taken. */
    private static final int MAX_DIGITS = 20;

    private static final Pattern VERSION = Pattern.compile("[0-9]+");
    private static final Set<String> EXPLAINING = Set.of("description", "examples", "example", "format", "default");

    /** Numbers keep every digit, and a name that is there twice is refused: a model that sends both would not know which one counts. */
    static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final Contract.Operation operation;
    private final List<Parameter> parameters = new ArrayList<>();
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private final Set<String> required = new LinkedHashSet<>();
    private final Set<String> inBody = new LinkedHashSet<>();
    private final boolean hasBody;

    private record Parameter(String name, String argument, String in) {}

    ApiOperation(Contract.Operation operation) {
        this.operation = operation;
        for (var parameter : operation.parameters()) {
            add(parameter);
        }
        var body = operation.body();
        this.hasBody = body != null;
        if (body != null) {
            add(body, operation.resolved(body));
        }
    }

    private void add(JsonNode parameter) {
        var name = parameter.path("name").asString();
        var in = parameter.path("in").asString();
        if (!in.equals("path") && !in.equals("query") && !HEADERS.containsKey(name)) {
            return;
        }
        parameters.add(new Parameter(name, argument(name), in));
        var schema = object(operation.local(parameter.path("schema")));
        var description = parameter.path("description").asString("");
        if (!description.isEmpty()) {
            schema.putIfAbsent("description", description);
        }
        properties.put(
                argument(name),
                isProject(name, in) ? Map.of("type", "string", "description", "A project's id or name.") : schema);
        if (parameter.path("required").asBoolean(false)) {
            required.add(argument(name));
        }
    }

    /** A name that tells a model what it is. */
    private static String argument(String parameter) {
        return QUERIES.contains(parameter) ? "query" : HEADERS.getOrDefault(parameter, parameter);
    }

    private static boolean isProject(String parameter, String in) {
        return parameter.equals(PROJECT) && in.equals("path");
    }

    private void add(JsonNode body, JsonNode resolved) {
        if (!resolved.has("properties")) {
            properties.put(BODY, object(operation.local(body)));
            if (operation.requiresBody()) {
                required.add(BODY);
            }
            return;
        }
        for (var property : resolved.path("properties").properties()) {
            inBody.add(property.getKey());
            properties.putIfAbsent(property.getKey(), object(operation.local(property.getValue())));
        }
        if (operation.requiresBody()) {
            resolved.path("required").forEach(name -> required.add(name.asString()));
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(JsonNode node) {
        return node.isObject() ? JSON.convertValue(node, LinkedHashMap.class) : new LinkedHashMap<>();
    }

    String scope() {
        return operation.scope();
    }

    String summary() {
        return operation.summary();
    }

    /** Whether it changes nothing, although it may be a POST: what takes a key has an effect that must not come twice. */
    boolean isRead() {
        return operation.method().equals("GET")
                || (operation.scope().endsWith(":read") && !properties.containsKey(ApiTools.KEY));
    }

    boolean isDelete() {
        return operation.method().equals("DELETE");
    }

    /** Whether doing it again changes nothing more. */
    boolean isIdempotent() {
        return isRead() || operation.method().equals("PUT") || isDelete();
    }

    Map<String, Object> properties() {
        return properties;
    }

    List<String> required() {
        return List.copyOf(required);
    }

    /** The schemas that {@link #properties} refer to. */
    Map<String, Object> definitions() {
        return object(operation.definitions(JSON.valueToTree(properties)));
    }

    /** The JSON Schema of what is answered; null if there is none, or it may be a list. */
    @Nullable
    Map<String, Object> answerSchema() {
        var answer = operation.answer();
        if (answer == null) {
            return null;
        }
        var schema = object(operation.local(operation.resolved(answer)));
        if (!"object".equals(schema.getOrDefault("type", schema.containsKey("allOf") ? "object" : ""))) {
            return null;
        }
        schema.put("type", "object");
        var definitions = object(operation.definitions(JSON.valueToTree(schema)));
        if (!definitions.isEmpty()) {
            schema.put("$defs", definitions);
        }
        return bare(schema);
    }

    /** Without what only explains: a model pays for every word of what it may be answered. */
    private static Map<String, Object> bare(Map<?, ?> schema) {
        var bare = new LinkedHashMap<String, Object>();
        schema.forEach((key, value) -> {
            // A property may have such a name; then its value is a schema.
            if (value instanceof Map || !EXPLAINING.contains(key.toString())) {
                bare.put(key.toString(), bareValue(value));
            }
        });
        return bare;
    }

    private static @Nullable Object bareValue(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> schema -> bare(schema);
            case List<?> values -> values.stream().map(ApiOperation::bareValue).toList();
            case null, default -> value;
        };
    }

    /** What the API says of its parameters, by the names of the arguments. */
    String inArguments(String problem) {
        var said = problem;
        for (var parameter : parameters) {
            if (!parameter.name().equals(parameter.argument())) {
                said = said.replaceAll(
                        "(?<![\\w-])" + Pattern.quote(parameter.name()) + "(?![\\w-])", parameter.argument());
            }
        }
        return said;
    }

    /** Whole numbers of arguments that are such are written without a fraction: to JSON and to models 2.0 is the number 2. */
    private @Nullable Object whole(String argument, @Nullable Object value) {
        return value instanceof BigDecimal number
                        && properties.get(argument) instanceof Map<?, ?> schema
                        && "integer".equals(schema.get("type"))
                        && number.stripTrailingZeros().scale() <= 0
                        && (long) number.precision() - number.scale() <= MAX_DIGITS
                ? number.toBigIntegerExact()
                : value;
    }

    /** Calls it with the rights of the request that {@code calls} belong to. */
    InternalCalls.Answer call(InternalCalls calls, Map<String, Object> given) {
        var arguments = new LinkedHashMap<>(given);
        arguments.replaceAll(this::whole);
        var unknown = arguments.keySet().stream()
                .filter(name -> !properties.containsKey(name))
                .toList();
        if (!unknown.isEmpty()) {
            throw new ToolException("There is no argument %s; there are: %s."
                    .formatted(String.join(", ", unknown), String.join(", ", properties.keySet())));
        }
        for (var name : required) {
            if (arguments.get(name) == null) {
                throw new ToolException("The argument %s is missing.".formatted(name));
            }
        }
        return calls.call(operation.method(), target(calls, arguments), body(arguments), headers(arguments));
    }

    /** The id of a project, which people call by its name. */
    private static String project(InternalCalls calls, String named) {
        if (Ids.isId(named)) {
            return named;
        }
        var answer = calls.call("GET", "/api/v1/projects?limit=" + MAX_PROJECTS, null, Map.of());
        var page = answer.isSuccess() ? McpTools.read(answer.body()) : null;
        if (page == null) {
            return named;
        }
        var fitting = page.path("items")
                .valueStream()
                .filter(each -> each.path("name").asString("").equalsIgnoreCase(named.strip()))
                .map(each -> each.path("id").asString())
                .toList();
        if (fitting.size() != 1) {
            throw new ToolException(
                    fitting.isEmpty()
                            ? "There is no project %s that you may read; records_projects lists them.".formatted(named)
                            : "Several projects are called %s; give one of the ids %s."
                                    .formatted(named, String.join(", ", fitting)));
        }
        return fitting.getFirst();
    }

    private Map<String, String> headers(Map<String, Object> arguments) {
        var headers = new HashMap<String, String>();
        for (var parameter : parameters) {
            var value = arguments.get(parameter.argument());
            if (value != null && parameter.in().equals("header")) {
                headers.put(parameter.name(), header(parameter, text(value)));
            }
        }
        return headers;
    }

    private static String header(Parameter parameter, String value) {
        if (value.chars().anyMatch(character -> character < ' ' || character > '~')) {
            throw new ToolException("The argument %s must be printable ASCII.".formatted(parameter.argument()));
        }
        // Records show their version as a number, and a model gives it back so.
        return parameter.name().equals("If-Match") && VERSION.matcher(value).matches() ? '"' + value + '"' : value;
    }

    private String target(InternalCalls calls, Map<String, Object> arguments) {
        var path = operation.path();
        var query = new ArrayList<String>();
        for (var parameter : parameters) {
            var value = arguments.get(parameter.argument());
            if (value == null || parameter.in().equals("header")) {
                continue;
            }
            if (parameter.in().equals("path")) {
                var named = isProject(parameter.name(), parameter.in()) ? project(calls, text(value)) : text(value);
                path = path.replace("{" + parameter.name() + "}", segment(parameter.name(), named));
            } else if (value instanceof List<?> values) {
                values.forEach(each -> query.add(encoded(parameter.name()) + "=" + encoded(text(each))));
            } else {
                query.add(encoded(parameter.name()) + "=" + encoded(text(value)));
            }
        }
        return query.isEmpty() ? path : path + "?" + String.join("&", query);
    }

    /** A segment that stays one: it names a thing, not another operation. */
    private static String segment(String name, String value) {
        if (value.isBlank() || value.equals(".") || value.equals("..") || value.contains("/")) {
            throw new ToolException("The argument %s must be an id or a name.".formatted(name));
        }
        return encoded(value).replace("+", "%20");
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : JSON.writeValueAsString(value);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private byte @Nullable [] body(Map<String, Object> arguments) {
        if (!hasBody) {
            return null;
        }
        if (inBody.isEmpty()) {
            var given = arguments.get(BODY);
            return given == null ? null : JSON.writeValueAsBytes(given);
        }
        var body = new LinkedHashMap<String, Object>();
        for (var name : inBody) {
            if (arguments.containsKey(name)) {
                body.put(name, arguments.get(name));
            }
        }
        return body.isEmpty() && !operation.requiresBody() ? null : JSON.writeValueAsBytes(body);
    }
}
