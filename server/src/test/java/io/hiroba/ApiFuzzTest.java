package io.hiroba;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.ContractRoutes;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends to every operation of the OpenAPI document requests that are made from its schemas, most of them with something wrong:
 * none may be answered with an error of the server, take longer than five seconds, or have a status that the document does not
 * give. {@code -Dhiroba.fuzz.seed=…} makes the requests of an earlier run again, {@code -Dhiroba.fuzz.rounds=…} more of them.
 */
@Tag("slow")
class ApiFuzzTest {

    private static final long SEED = Long.getLong("hiroba.fuzz.seed", new Random().nextLong());
    private static final int ROUNDS = Integer.getInteger("hiroba.fuzz.rounds", 6);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /** What any operation may answer: to a request that is not one, and for want of rights to it. */
    private static final Set<Integer> ANYWHERE = Set.of(400, 401, 403, 404, 413, 414, 415, 429);

    private static final List<String> HOSTILE =
            List.of(("| |\0|\ud800|\u200b|\u202e|\ufeff|e\u0301|👩‍👩‍👧‍👦|\u00df|\u0130|ｆｕｌｌ|'; DROP TABLE x; --"
                            + "|%00|../../x|..%2f|<script>alert(1)</script>|{{7*7}}|${jndi:x}|-1|0|9223372036854775808|1e999|NaN|true|null|[]"
                            + "|2026-13-45|2026-02-30T25:61:00Z|+999999999-12-31T23:59:59Z|00000000-0000-0000-0000-000000000000"
                            + "|http://[::1]:0/|file:///x|a\r\nb: c|(((((|*|\\|\"|" + "a".repeat(5_000))
                    .split("[|]", -1));

    private static final List<String> NAMES = List.of("id", "key", "name");

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Random random = new Random(SEED);
    private final JsonNode document = ContractRoutes.document();

    /** What is there, by the path of the list that it is in: ids, keys and names. */
    private final Map<String, List<String>> known = new HashMap<>();

    private final List<String> faults = new ArrayList<>();
    private final Set<String> reached = new HashSet<>();

    /** One operation of the document. */
    private record Operation(String method, String path, List<JsonNode> parameters, JsonNode definition) {}

    @Test
    void noRequestMakesTheServerFail() {
        try (var square = new Square()) {
            var operations = operations();
            fill(square);
            for (int round = 0; round < ROUNDS; round++) {
                Collections.shuffle(operations, random);
                var ann = square.person("ann");
                for (var operation : operations) {
                    // An admin must not end their own access.
                    var callers = operation.path().matches(".*/(sessions?|tokens)(/.*)?")
                            ? List.of(square.anonymous(), ann.api())
                            : List.of(square.anonymous(), ann.api(), ann.api(), square.admin.api(), square.admin.api());
                    send(callers.get(random.nextInt(callers.size())), operation);
                    known.values().forEach(names -> names.remove(square.admin.id()));
                }
            }
        }
        assertThat(faults).as("-Dhiroba.fuzz.seed=" + SEED).isEmpty();
        assertThat(reached).as("operations that did what was asked").hasSizeGreaterThan(40);
    }

    /** Makes one of each thing that others are made in. */
    private void fill(Square square) {
        var api = square.admin.api();
        var project =
                made(api, "/api/v1/projects", "{'name': 'shop'}").path("id").asString();
        var shop = "/api/v1/projects/" + project;
        made(
                api,
                shop + "/schemas",
                "{'name': 'product', 'attributes': [{'name': 'sku', 'type': 'text'}, {'name': 'price', 'type': 'numeric'}]}");
        made(api, shop + "/records/product", "{'sku': 'a-1', 'price': 3}");
        made(api, "/api/v1/posts", "{'content': 'hello'}");
        api.put("/api/v1/saga-services/stock", "{'endpoint': 'http://127.0.0.1:1/'}");
        made(
                api,
                "/api/v1/workflows",
                "{'name': 'order', 'steps': [{'name': 'reserve', 'service': 'stock', 'method': 'reserve'}]}");
        made(api, "/api/v1/knowledge/sources", "{'title': 'Release', 'text': 'Tag it.', 'visibility': 'public'}");
        api.put("/api/v1/saga-roles/" + square.admin.id(), "{'role': 'operator'}");
        api.put(
                "/api/v1/inbox/resources/issue/1",
                "{'title': 'Broken', 'namespace': 'crew/app', 'url': 'https://git.example/1'}");
        api.post(
                "/api/v1/inbox/notify",
                "{'user': '%s', 'action': 'assigned', 'resourceType': 'issue', 'resource': '1'}"
                        .formatted(square.admin.email()));
        remember("/api/v1/inbox", api.get("/api/v1/inbox").json());
    }

    private JsonNode made(ApiClient api, String path, String json) {
        var reply = api.post(path, json);
        assertThat(reply.status()).as(path + reply.body()).isBetween(200, 202);
        remember(path, reply.json());
        return reply.json();
    }

    private List<Operation> operations() {
        var operations = new ArrayList<Operation>();
        for (var path : document.path("paths").properties()) {
            for (var method : path.getValue().properties()) {
                if (!method.getKey().equals("parameters") && !isEndless(method.getValue())) {
                    var parameters = Stream.concat(
                                    path.getValue().path("parameters").valueStream(),
                                    method.getValue().path("parameters").valueStream())
                            .map(this::resolved)
                            .toList();
                    operations.add(new Operation(
                            method.getKey().toUpperCase(Locale.ROOT), path.getKey(), parameters, method.getValue()));
                }
            }
        }
        return operations;
    }

    /** Whether there is only a stream; where there is an answer too, that is what comes here. */
    private static boolean isEndless(JsonNode operation) {
        var contents = operation.at("/responses/200/content");
        return contents.has("text/event-stream") && !contents.has("application/json");
    }

    private void send(ApiClient caller, Operation operation) {
        var client = caller;
        if (random.nextInt(4) == 0) {
            client =
                    client.with("Idempotency-Key", random.nextBoolean() ? "key" + random.nextInt(50) : "k".repeat(300));
        }
        if (random.nextInt(8) == 0) {
            client = client.with("If-Match", random.nextBoolean() ? "\"1\"" : "nonsense");
        }
        var target = target(operation);
        var contents = resolved(operation.definition().path("requestBody")).path("content");
        var types = List.copyOf(contents.propertyNames());
        var type = types.isEmpty() ? "" : types.get(random.nextInt(types.size()));
        var body = type.isEmpty() ? "" : body(type, contents.path(type));
        var asked = "%s %s %s".formatted(operation.method(), target, shortened(body));
        var mediaType = random.nextInt(20) == 0 ? "text/nonsense; charset=x" : type;
        long begun = System.nanoTime();
        ApiClient.Reply answer;
        try {
            answer = client.sendAs(mediaType, operation.method(), target, body);
        } catch (IllegalStateException e) {
            // The connection was kept after a request that Jetty refused, and closed as this one was sent.
            answer = client.sendAs(mediaType, operation.method(), target, body);
        }
        check(operation, target, asked, answer);
        if (System.nanoTime() - begun > LONGEST.toNanos()) {
            faults.add(asked + ": took too long");
        }
    }

    private void check(Operation operation, String target, String asked, ApiClient.Reply answer) {
        int status = answer.status();
        var type = answer.header("Content-Type");
        var documented = operation.definition().path("responses");
        if (status >= 500 && !documented.has(Integer.toString(status))) {
            faults.add("%s: %d %s".formatted(asked, status, shortened(answer.body())));
        } else if (!documented.has(Integer.toString(status)) && !ANYWHERE.contains(status)) {
            faults.add("%s: %d is not in the document: %s".formatted(asked, status, shortened(answer.body())));
        } else if (status >= 400
                && !operation.method().equals("HEAD")
                && !type.startsWith("application/problem+json")
                && !resolved(documented.path(Integer.toString(status)))
                        .path("content")
                        .has(type)) {
            faults.add("%s: %d without a problem: %s".formatted(asked, status, shortened(answer.body())));
        } else if (status < 300) {
            reached.add(operation.method() + " " + operation.path());
            if (type.startsWith("application/json")) {
                remember(target.replaceAll("[?].*", ""), answer.json());
            }
        }
    }

    private static String shortened(String text) {
        return text.length() > 300 ? text.substring(0, 300) + "…" : text;
    }

    private void remember(String path, JsonNode answer) {
        if (answer.path("items").isArray()) {
            answer.path("items").forEach(item -> remember(path, item));
            return;
        }
        for (var field : NAMES) {
            var name = answer.path(field).asString("");
            var names = known.computeIfAbsent(path, _ -> new ArrayList<>());
            if (!name.isEmpty() && !names.contains(name) && names.size() < 20) {
                names.add(name);
            }
        }
    }

    /** The names of what is at a path, or at one beside it: the schemas of a project are those of its records. */
    private List<String> namesAt(String path) {
        var beside = path.substring(0, path.lastIndexOf('/') + 1);
        return known.containsKey(path)
                ? known.get(path)
                : known.entrySet().stream()
                        .filter(each -> each.getKey().startsWith(beside)
                                && each.getKey().indexOf('/', beside.length()) < 0)
                        .flatMap(each -> each.getValue().stream())
                        .toList();
    }

    private String target(Operation operation) {
        var path = new StringBuilder();
        for (var segment : operation.path().substring(1).split("/", -1)) {
            var names = segment.startsWith("{") ? namesAt(path.toString()) : List.<String>of();
            path.append('/');
            if (!segment.startsWith("{")) {
                path.append(segment);
            } else if (!names.isEmpty() && random.nextInt(8) != 0) {
                path.append(segment(names.get(random.nextInt(names.size()))));
            } else {
                var name = segment.substring(1, segment.length() - 1);
                path.append(segment(operation.parameters().stream()
                        .filter(parameter -> parameter.path("name").asString().equals(name))
                        .findFirst()
                        .map(parameter -> text(parameter.path("schema")))
                        .orElseThrow()));
            }
        }
        var query = new ArrayList<String>();
        for (var parameter : operation.parameters()) {
            if (parameter.path("in").asString().equals("query") && random.nextInt(4) == 0) {
                var name = parameter.path("name").asString();
                var value = text(parameter.path("schema"));
                // Seconds that the server waits if it is asked to.
                query.add(encoded(name) + "="
                        + encoded(name.equals("wait") ? value.replaceAll("^[1-9]\\d?$", "1") : value));
            }
        }
        return query.isEmpty() ? path.toString() : path + "?" + String.join("&", query);
    }

    /** Not empty, and neither of the dots: those would be another path. */
    private static String segment(String text) {
        return text.isEmpty() || text.matches("[.]+") ? "x" : encoded(text);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    private String text(JsonNode schema) {
        var value = value(schema, 0);
        return value.isString() ? value.asString() : value.toString();
    }

    /** The document's example, one with something else in it, what the schema allows, or neither. */
    private String body(String type, JsonNode content) {
        var example = content.path("example");
        if (!type.endsWith("json") || random.nextInt(20) == 0) {
            return hostile();
        }
        if (!example.isObject() || random.nextInt(2) == 0) {
            return value(content.path("schema"), 0).toString();
        }
        var body = (ObjectNode) example.deepCopy();
        if (random.nextInt(2) == 0) {
            var fields = List.copyOf(body.propertyNames());
            body.set(fields.get(random.nextInt(fields.size())), anything(0));
        }
        return body.toString();
    }

    private String hostile() {
        return HOSTILE.get(random.nextInt(HOSTILE.size()));
    }

    private JsonNode resolved(JsonNode node) {
        var reference = node.path("$ref").asString("");
        return reference.isEmpty() ? node : resolved(document.at(reference.substring(1)));
    }

    private JsonNode value(JsonNode definition, int depth) {
        if (random.nextInt(12) == 0) {
            return anything(depth);
        }
        var schema = resolved(definition);
        for (var choice : List.of("oneOf", "anyOf", "enum")) {
            var choices = schema.path(choice);
            if (!choices.isEmpty()) {
                var chosen = choices.get(random.nextInt(choices.size()));
                return choice.equals("enum") ? chosen : value(chosen, depth + 1);
            }
        }
        if (schema.has("const")) {
            return schema.path("const");
        }
        if (schema.has("allOf")) {
            var merged = NODES.objectNode();
            schema.path("allOf").forEach(part -> {
                if (value(part, depth + 1) instanceof ObjectNode fields) {
                    merged.setAll(fields);
                }
            });
            return merged;
        }
        var types = schema.path("type");
        var type = types.isArray() ? types.get(random.nextInt(types.size())).asString() : types.asString("");
        return switch (type) {
            case "object" -> object(schema, depth);
            case "array" -> {
                var array = NODES.arrayNode();
                for (int n = random.nextInt(3); n > 0 && depth < 6; n--) {
                    array.add(value(schema.path("items"), depth + 1));
                }
                yield array;
            }
            case "integer" -> NODES.numberNode(random.nextInt(1, 20));
            case "number" -> NODES.numberNode(random.nextInt(100) / 10.0);
            case "boolean" -> NODES.booleanNode(random.nextBoolean());
            case "null" -> NODES.nullNode();
            case "string" -> NODES.stringNode(string(schema));
            default -> anything(depth);
        };
    }

    private ObjectNode object(JsonNode schema, int depth) {
        var object = NODES.objectNode();
        for (var property : schema.path("properties").properties()) {
            boolean isRequired = schema.path("required")
                    .valueStream()
                    .anyMatch(name -> name.asString().equals(property.getKey()));
            if (depth < 6 && (isRequired ? random.nextInt(20) != 0 : random.nextInt(2) == 0)) {
                object.set(property.getKey(), value(property.getValue(), depth + 1));
            }
        }
        if (schema.path("additionalProperties").isObject()) {
            object.set("x" + random.nextInt(3), value(schema.path("additionalProperties"), depth + 1));
        }
        if (random.nextInt(20) == 0) {
            object.put(hostile(), hostile());
        }
        return object;
    }

    private String string(JsonNode schema) {
        if (random.nextInt(5) == 0) {
            return hostile();
        }
        var lists = List.copyOf(known.values());
        if (!lists.isEmpty() && random.nextInt(4) == 0) {
            var names = lists.get(random.nextInt(lists.size()));
            return names.isEmpty() ? "" : names.get(random.nextInt(names.size()));
        }
        return switch (schema.path("format").asString("")) {
            case "email" -> "u" + random.nextInt(100) + "@example.org";
            case "date-time" -> "2026-0%d-01T00:00:00Z".formatted(random.nextInt(1, 10));
            case "date" -> "2026-0%d-01".formatted(random.nextInt(1, 10));
            case "uri" -> "http://127.0.0.1:1/" + random.nextInt(9);
            case "uuid" -> "00000000-0000-7000-8000-00000000000" + random.nextInt(10);
            default -> "text" + random.nextInt(20);
        };
    }

    private JsonNode anything(int depth) {
        return switch (random.nextInt(8)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.numberNode(-1);
            case 2 -> NODES.numberNode(Long.MAX_VALUE);
            case 3 -> NODES.numberNode(1e308);
            case 4 -> NODES.booleanNode(true);
            case 5 -> depth > 40 ? NODES.arrayNode() : NODES.arrayNode().add(anything(depth + 8));
            case 6 -> NODES.objectNode().put(hostile(), hostile());
            default -> NODES.stringNode(hostile());
        };
    }
}
