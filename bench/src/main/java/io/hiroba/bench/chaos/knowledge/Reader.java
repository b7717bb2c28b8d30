package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.Person;
import io.hiroba.bench.chaos.knowledge.Shown.Progress;
import io.hiroba.bench.chaos.knowledge.Stored.Letter;
import io.hiroba.bench.chaos.knowledge.Talk.Line;
import io.hiroba.platform.id.Ids;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads by the API what everybody has, from the first page to the last. */
final class Reader {

    private final Requests requests;

    Reader(Requests requests) {
        this.requests = requests;
    }

    Shown read(Memory memory) {
        var sources = new HashMap<Long, Progress>();
        var letters = new ArrayList<Letter>();
        for (var person : memory.people()) {
            pages(
                    person,
                    "/api/v1/knowledge/sources?mine=true&limit=100",
                    item -> sources.put(id(item, "id"), progress(item)));
            pages(person, "/api/v1/knowledge/dlq?limit=100", item -> letters.add(letter(item)));
        }
        var messages = new HashMap<Talk, Map<Integer, Line>>();
        memory.talks().forEach(talk -> messages.put(talk, messages(talk)));
        return new Shown(sources, List.copyOf(letters), messages);
    }

    private void pages(Person by, String path, Consumer<JsonNode> each) {
        var next = path;
        while (!next.isEmpty()) {
            var page = get(by, next);
            page.path("items").forEach(each);
            var after = page.path("next");
            next = after.isString()
                    ? path + "&after=" + URLEncoder.encode(after.asString(), StandardCharsets.UTF_8)
                    : "";
        }
    }

    private Map<Integer, Line> messages(Talk talk) {
        var messages = new TreeMap<Integer, Line>();
        var before = "";
        do {
            var page = get(talk.owner(), talk.path() + "?limit=100" + before);
            page.path("messages")
                    .forEach(message -> messages.put(message.path("index").asInt(), line(message)));
            var older = page.path("olderBefore");
            before = older.isNumber() ? "&before=" + older.asInt() : "";
        } while (!before.isEmpty());
        return messages;
    }

    /** An empty object where there is no such thing. */
    private JsonNode get(Person by, String path) {
        var found = requests.send(by, "GET", path, "", Map.of()).require(200, 404);
        return found.is(404)
                ? JsonMapper.shared().createObjectNode()
                : JsonMapper.shared().readTree(found.reply().body());
    }

    private static Progress progress(JsonNode source) {
        var counts = source.path("progress");
        return new Progress(
                source.path("status").asString(),
                source.path("visibility").asString(),
                counts.path("chunks").asInt(),
                counts.path("embedded").asInt(),
                counts.path("waiting").asInt(),
                counts.path("dead").asInt());
    }

    private static Letter letter(JsonNode letter) {
        return new Letter(
                id(letter, "sourceId"),
                id(letter, "chunkId"),
                letter.path("content").asString(),
                letter.path("errorCode").asString(),
                letter.path("retryCount").asInt());
    }

    private static Line line(JsonNode message) {
        var author = message.path("author");
        return new Line(
                message.path("role").asString(),
                author.isString() ? author.asString() : null,
                message.path("content").asString());
    }

    private static long id(JsonNode node, String field) {
        return Ids.parse(node.path(field).asString());
    }
}
