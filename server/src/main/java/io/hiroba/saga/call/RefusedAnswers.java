package io.hiroba.saga.call;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.ErrorDetailsProto;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.Lazy;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.call.StepOutcome.KeptAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Keeps what services answer when they refuse a call: up to {@link #MAX_LENGTH} characters, with the values of secret fields
 * masked. A body that is no JSON, or too long to be kept whole, is kept as text.
 */
final class RefusedAnswers {

    static final int MAX_LENGTH = 16 << 10;

    private static final String MASK = "***";
    private static final int MAX_HEADER_LENGTH = 200;

    /** The fields in which services explain a refusal, the more exact first: {@code detail} is that of RFC 9457. */
    private static final List<String> EXPLANATIONS =
            List.of("/detail", "/message", "/error_description", "/error/message", "/error", "/title");

    private static final Lazy<JsonFormat.Printer> DETAILS = Lazy.of(() -> JsonFormat.printer()
            .usingTypeRegistry(TypeRegistry.newBuilder()
                    .add(ErrorDetailsProto.getDescriptor().getMessageTypes())
                    .build())
            .omittingInsignificantWhitespace());

    /** In lower case; a name without a dot is masked at any depth. */
    private final Set<String> masked;

    RefusedAnswers(List<String> masked) {
        this.masked = masked.stream()
                .map(path -> path.strip().toLowerCase(Locale.ROOT))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Why the service refused, with its own explanation where it gave one. */
    static Text reason(String code, @Nullable KeptAnswer kept) {
        var explanation = kept == null ? null : explanation(kept);
        return explanation == null
                ? Text.of("saga.journal.answered", "code", code)
                : Text.of("saga.journal.answered-saying", "code", code, "explanation", explanation);
    }

    private static @Nullable String explanation(KeptAnswer kept) {
        var body = kept.body();
        if (body == null) {
            return null;
        }
        if (body.isString() && isPlainText(kept.head())) {
            return explanation(body);
        }
        for (var path : EXPLANATIONS) {
            var explanation = explanation(body.at(path));
            if (explanation != null) {
                return explanation;
            }
        }
        return null;
    }

    private static boolean isPlainText(JsonNode head) {
        return head.path("contentType").asString("").startsWith("text/plain");
    }

    private static @Nullable String explanation(JsonNode field) {
        var text = field.isString() ? CallDescription.excerpt(field.stringValue()) : "";
        return text.isEmpty() || !StorableJson.isStorable(text) ? null : text;
    }

    KeptAnswer of(HttpAnswer answer) {
        var head = Json.mapper().createObjectNode().put("status", Integer.toString(answer.status()));
        put(head, "contentType", answer.headers().contentType());
        put(head, "requestId", answer.headers().requestId());
        put(head, "retryAfter", answer.headers().retryAfter());
        var text =
                StandardCharsets.UTF_8.decode(answer.body().bytes().duplicate()).toString();
        var json = json(text);
        if (json != null) {
            return kept(json, head);
        }
        if (!answer.body().complete() && isJson(text, answer.headers().contentType())) {
            // Nothing of it could be masked.
            return new KeptAnswer(null, head.put("cut", true));
        }
        return text.isBlank() ? new KeptAnswer(null, head) : keptText(text, head);
    }

    /** What a worker says about its failure; {@code code} stands where the status of a service does. */
    KeptAnswer of(@Nullable JsonNode answer, @Nullable String code) {
        var head = Json.mapper().createObjectNode();
        put(head, "status", code);
        return answer == null || answer.isNull() ? new KeptAnswer(null, head) : kept(answer.deepCopy(), head);
    }

    /** The status with its message and the details of google.rpc.Status. */
    KeptAnswer of(StatusRuntimeException failure) {
        var status = failure.getStatus();
        var body = Json.mapper().createObjectNode().put("code", status.getCode().name());
        if (status.getDescription() != null) {
            body.put("message", status.getDescription());
        }
        var details = StatusProto.fromThrowable(failure);
        if (details != null && details.getDetailsCount() > 0) {
            var array = body.putArray("details");
            details.getDetailsList().forEach(detail -> array.add(detail(detail)));
        }
        var head =
                Json.mapper().createObjectNode().put("status", status.getCode().name());
        return body.size() == 1 ? new KeptAnswer(null, head) : kept(body, head);
    }

    private static JsonNode detail(Any detail) {
        try {
            return Json.mapper().readTree(DETAILS.get().print(detail));
        } catch (InvalidProtocolBufferException | JacksonException e) {
            return Json.mapper()
                    .createObjectNode()
                    .put("@type", detail.getTypeUrl())
                    .put(
                            "value",
                            Base64.getEncoder().encodeToString(detail.getValue().toByteArray()));
        }
    }

    private KeptAnswer kept(JsonNode json, ObjectNode head) {
        var clean = masked("", json);
        var text = clean.toString();
        return text.length() <= MAX_LENGTH && StorableJson.isStorable(clean)
                ? new KeptAnswer(clean, head)
                : keptText(text, head);
    }

    private static KeptAnswer keptText(String text, ObjectNode head) {
        boolean cut = text.length() > MAX_LENGTH;
        var kept = cut ? text.substring(0, MAX_LENGTH) : text;
        if (cut) {
            head.put("cut", true);
        }
        return new KeptAnswer(StringNode.valueOf(storable(kept)), head);
    }

    private static @Nullable JsonNode json(String text) {
        try {
            return text.isBlank() ? null : Json.read(text, JsonNode.class);
        } catch (Problem e) {
            return null;
        }
    }

    private static boolean isJson(String text, @Nullable String contentType) {
        var start = text.stripLeading();
        return start.startsWith("{") || start.startsWith("[") || (contentType != null && contentType.contains("json"));
    }

    private JsonNode masked(String path, JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (var key : List.copyOf(object.propertyNames())) {
                var name = key.toLowerCase(Locale.ROOT);
                var own = path.isEmpty() ? name : path + "." + name;
                boolean secret = masked.contains(name) || masked.contains(own);
                object.set(key, secret ? StringNode.valueOf(MASK) : masked(own, object.path(key)));
            }
        } else if (node instanceof ArrayNode array) {
            array.forEach(each -> masked(path, each));
        }
        return node;
    }

    private static void put(ObjectNode head, String name, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            var text = value.length() > MAX_HEADER_LENGTH ? value.substring(0, MAX_HEADER_LENGTH) : value;
            head.put(name, storable(text));
        }
    }

    /** Without what PostgreSQL refuses: NUL, and the half of a pair where the text was cut. */
    private static String storable(String text) {
        var clean = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point ->
                        clean.appendCodePoint(point == 0 || (point >= 0xD800 && point <= 0xDFFF) ? 0xFFFD : point));
        return clean.toString();
    }
}
