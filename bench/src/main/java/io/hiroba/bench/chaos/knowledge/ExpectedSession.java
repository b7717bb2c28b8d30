package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.ChaosUser;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A session with its acknowledged messages. */
final class ExpectedSession {

    private final ChaosUser owner;
    private final String key;
    private final Collection<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();

    ExpectedSession(ChaosUser owner, String key) {
        this.owner = owner;
        this.key = key;
    }

    /** A message. */
    record Message(String role, @Nullable String author, String content) {

        String speaker() {
            return author == null ? role : author;
        }

        Map<String, String> json() {
            var json = new LinkedHashMap<String, String>();
            json.put("role", role);
            json.put("content", content);
            if (author != null) {
                json.put("author", author);
            }
            return json;
        }
    }

    /**
     * Messages of one acknowledged request.
     *
     * @param index that of the first message
     * @param began the {@link System#nanoTime} at which the request was first sent
     * @param ended the one at which the response arrived
     */
    record Acknowledged(int index, List<Message> messages, long began, long ended) {

        int end() {
            return index + messages.size();
        }
    }

    ChaosUser owner() {
        return owner;
    }

    String key() {
        return key;
    }

    String path() {
        return "/api/v1/knowledge/sessions/" + key;
    }

    void add(Acknowledged words) {
        acknowledged.add(words);
    }

    Collection<Acknowledged> acknowledged() {
        return acknowledged;
    }

    @Override
    public String toString() {
        return "session %s of %s".formatted(key, owner.hex());
    }
}
