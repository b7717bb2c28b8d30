package io.hiroba.activity;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import java.util.Collection;
import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * The JSON column of a card: its newest acts, and how many people and posts there are in all.
 *
 * @param acts the newest, at most {@value #MAX_ACTS}
 */
record CardPayload(List<ActRecord> acts, int users, int posts) {

    static final int MAX_ACTS = 10;

    static final CardPayload EMPTY = new CardPayload(List.of(), 0, 0);

    /** The newest of {@code acts}, as many as a card shows. */
    static List<ActRecord> newest(Collection<ActRecord> acts) {
        return acts.stream().sorted(ActRecord.NEWEST_FIRST).limit(MAX_ACTS).toList();
    }

    static CardPayload read(NotificationKind kind, String text) {
        var json = Json.mapper().readTree(text);
        var acts = StreamSupport.stream(json.path("records").spliterator(), false)
                .map(CardPayload::act)
                .toList();
        int users = json.path("countUsers").asInt();
        return new CardPayload(
                acts, users, kind.hasPosts() ? json.path("countPosts").asInt() : users);
    }

    private static ActRecord act(JsonNode json) {
        var post = json.path("postId").asString("");
        return ActRecord.of(
                Ids.parse(json.path("userId").asString("")),
                post.isEmpty() ? 0 : Ids.parse(post),
                json.path("ts").asLong());
    }

    String text(NotificationKind kind) {
        var json = new StringBuilder(64 + acts.size() * 60).append("{\"records\":[");
        for (var act : acts) {
            json.append("{\"ts\":").append(act.ts());
            if (kind.hasPosts()) {
                json.append(",\"postId\":\"").append(Ids.hex(act.post())).append('"');
            }
            json.append(",\"userId\":\"").append(Ids.hex(act.actor())).append("\"},");
        }
        if (!acts.isEmpty()) {
            json.setLength(json.length() - 1);
        }
        json.append("],\"countUsers\":").append(users);
        if (kind.hasPosts()) {
            json.append(",\"countPosts\":").append(posts);
        }
        return json.append('}').toString();
    }
}
