package io.hiroba.inbox.gitlab;

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
 * Parses payloads and finds their kind of event: {@code issue}, {@code user_add_to_group}. Bodies are read leniently:
 * with the comments and commas that GitLab's own examples have.
 */
final class WebhookPayload {

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

    private static final Pattern UNEXPECTED_CHARACTERS = Pattern.compile("[^a-z0-9_.:-]+");
    private static final int MAX_KIND_LENGTH = 100;

    private WebhookPayload() {}

    static String eventKind(byte[] body, @Nullable String hook) {
        var root = read(body);
        var kind = Stream.of(
                        root.path("object_kind").stringValue(""),
                        root.path("event_name").stringValue(""),
                        root.path("event_type").stringValue(""),
                        hook == null ? "" : hook)
                .map(WebhookPayload::clean)
                .filter(text -> !text.isEmpty())
                .findFirst();
        return kind.orElse("unknown");
    }

    /** Parses a body, which must be an object. */
    static JsonNode read(byte[] body) {
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
        var clean = UNEXPECTED_CHARACTERS
                .matcher(text.strip().toLowerCase(Locale.ROOT))
                .replaceAll("_");
        return clean.length() <= MAX_KIND_LENGTH ? clean : clean.substring(0, MAX_KIND_LENGTH);
    }
}
