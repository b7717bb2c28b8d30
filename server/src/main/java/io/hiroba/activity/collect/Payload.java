package io.hiroba.activity.collect;

import io.hiroba.activity.Kind;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import java.util.Collection;
import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * What a card holds as JSON: its newest acts, and how many people and posts there are in all.
 *
 * @param acts the newest, at most {@value #MOST}
 */
record Payload(List<Act> acts, int users, int posts) {

    static final int MOST = 10;

    static final Payload EMPTY = new Payload(List.of(), 0, 0);

    /** The newest of {@code acts}, as many as a card shows. */
    static List<Act> newest(Collection<Act> acts) {
        return acts.stream().sorted(Act.NEWEST_FIRST).limit(MOST).toList();
    }

    static Payload read(Kind kind, String text) {
        var json = Json.mapper().readTree(text);
        var acts = StreamSupport.stream(json.path("records").spliterator(), false)
                .map(Payload::act)
                .toList();
        int users = json.path("countUsers").asInt();
        return new Payload(
                acts, users, kind.tellsOfPosts() ? json.path("countPosts").asInt() : users);
    }

    private static Act act(JsonNode json) {
        var post = json.path("postId").asString("");
        return Act.of(
                Ids.parse(json.path("userId").asString("")),
                post.isEmpty() ? 0 : Ids.parse(post),
                json.path("ts").asLong());
    }

    String text(Kind kind) {
        var json = new StringBuilder(64 + acts.size() * 60).append("{\"records\":[");
        for (var act : acts) {
            json.append("{\"ts\":").append(act.ts());
            if (kind.tellsOfPosts()) {
                json.append(",\"postId\":\"").append(Ids.hex(act.post())).append('"');
            }
            json.append(",\"userId\":\"").append(Ids.hex(act.actor())).append("\"},");
        }
        if (!acts.isEmpty()) {
            json.setLength(json.length() - 1);
        }
        json.append("],\"countUsers\":").append(users);
        if (kind.tellsOfPosts()) {
            json.append(",\"countPosts\":").append(posts);
        }
        return json.append('}').toString();
    }
}
