package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.Person;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A session as those remember it who were told that what they said is in it. */
final class Talk {

    private final Person owner;
    private final String key;
    private final Collection<Said> said = new ConcurrentLinkedQueue<>();

    Talk(Person owner, String key) {
        this.owner = owner;
        this.key = key;
    }

    /** A message. */
    record Line(String role, @Nullable String author, String content) {

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
     * Messages that were acknowledged.
     *
     * @param index that of the first
     * @param began when the request was first sent, in nanoseconds since whenever
     * @param ended when its answer came
     */
    record Said(int index, List<Line> lines, long began, long ended) {

        int end() {
            return index + lines.size();
        }
    }

    Person owner() {
        return owner;
    }

    String key() {
        return key;
    }

    String path() {
        return "/api/v1/knowledge/sessions/" + key;
    }

    void add(Said words) {
        said.add(words);
    }

    Collection<Said> said() {
        return said;
    }

    @Override
    public String toString() {
        return "session %s of %s".formatted(key, owner.hex());
    }
}
