package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.bench.chaos.knowledge.ApiState.Progress;
import io.hiroba.bench.chaos.knowledge.DatabaseState.DeadLetter;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Message;
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

/** Reads the sources, dead letters and messages of all users through the API, all pages. */
final class ApiReader {

    private final RetryingClient requests;

    ApiReader(RetryingClient requests) {
        this.requests = requests;
    }

    ApiState read(ClientHistory history) {
        var sources = new HashMap<Long, Progress>();
        var deadLetters = new ArrayList<DeadLetter>();
        for (var user : history.users()) {
            pages(
                    user,
                    "/api/v1/knowledge/sources?mine=true&limit=100",
                    item -> sources.put(id(item, "id"), progress(item)));
            pages(user, "/api/v1/knowledge/dlq?limit=100", item -> deadLetters.add(deadLetter(item)));
        }
        var messages = new HashMap<ExpectedSession, Map<Integer, Message>>();
        history.sessions().forEach(session -> messages.put(session, messages(session)));
        return new ApiState(sources, List.copyOf(deadLetters), messages);
    }

    private void pages(ChaosUser by, String path, Consumer<JsonNode> each) {
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

    private Map<Integer, Message> messages(ExpectedSession session) {
        var messages = new TreeMap<Integer, Message>();
        var before = "";
        do {
            var page = get(session.owner(), session.path() + "?limit=100" + before);
            page.path("messages")
                    .forEach(message -> messages.put(message.path("index").asInt(), message(message)));
            var older = page.path("olderBefore");
            before = older.isNumber() ? "&before=" + older.asInt() : "";
        } while (!before.isEmpty());
        return messages;
    }

    /** Returns an empty object for 404. */
    private JsonNode get(ChaosUser by, String path) {
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

    private static DeadLetter deadLetter(JsonNode deadLetter) {
        return new DeadLetter(
                id(deadLetter, "sourceId"),
                id(deadLetter, "chunkId"),
                deadLetter.path("content").asString(),
                deadLetter.path("errorCode").asString(),
                deadLetter.path("retryCount").asInt());
    }

    private static Message message(JsonNode message) {
        var author = message.path("author");
        return new Message(
                message.path("role").asString(),
                author.isString() ? author.asString() : null,
                message.path("content").asString());
    }

    private static long id(JsonNode node, String field) {
        return Ids.parse(node.path(field).asString());
    }
}
