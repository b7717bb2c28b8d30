package io.hiroba.inbox.gitlab.deliveries;

import io.hiroba.inbox.InboxProblem;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What kind of event a call is about, as its body says: {@code issue}, {@code user_add_to_group}. Bodies are read
 * leniently: with the comments and commas that GitLab's own examples have.
 */
public final class EventKind {

    private static final JsonMapper LENIENT = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(200)
                            .maxStringLength(16 << 20)
                            .build())
                    .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
                    .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
                    .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
                    .build())
            .build();

    private static final Pattern STRANGE = Pattern.compile("[^a-z0-9_.:-]+");
    private static final int LONGEST = 100;

    private EventKind() {}

    static String of(byte[] body, @Nullable String hook) {
        var root = read(body);
        var kind = Stream.of(
                        root.path("object_kind").stringValue(""),
                        root.path("event_name").stringValue(""),
                        root.path("event_type").stringValue(""),
                        hook == null ? "" : hook)
                .map(EventKind::clean)
                .filter(text -> !text.isEmpty())
                .findFirst();
        return kind.orElse("unknown");
    }

    /** The body, which must be an object. */
    public static JsonNode read(byte[] body) {
        JsonNode root;
        try {
            root = LENIENT.readTree(body);
        } catch (JacksonException e) {
            throw InboxProblem.notJson();
        }
        if (root == null || !root.isObject()) {
            throw InboxProblem.notJson();
        }
        return root;
    }

    private static String clean(String text) {
        var clean = STRANGE.matcher(text.strip().toLowerCase(Locale.ROOT)).replaceAll("_");
        return clean.length() <= LONGEST ? clean : clean.substring(0, LONGEST);
    }
}
