package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/**
 * Reads chat exports in JSON: a list of messages with a role or an author, as assistants and Slack write it, or an
 * object with such a list, as DiscordChatExporter does.
 */
final class ChatReader {

    private static final List<String> AUTHOR_NAMES = List.of("nickname", "real_name", "display_name", "name");

    private ChatReader() {}

    static ParsedDocument read(String json) {
        JsonNode root;
        try {
            root = Json.mapper().readTree(json);
        } catch (JacksonException e) {
            throw KnowledgeProblem.unreadable(
                    e instanceof StreamConstraintsException
                            ? Text.of("knowledge.unreadable.json-nested")
                            : Text.of("knowledge.unreadable.not-json", "problem", e.getOriginalMessage()));
        }
        var messages = root.isArray() ? root : root.path("messages");
        BlockLimit.check(messages.size());
        var conversation = new TranscriptBuilder();
        int count = 0;
        for (int i = 0; i < messages.size(); i++) {
            var message = messages.get(i);
            var text = text(message);
            if (text.isPresent()) {
                count++;
                conversation.addMessage(i, id(message), url(root, message), author(message), text.get());
            }
        }
        if (count == 0 && !root.isEmpty()) {
            // Settings or data, say, which are searched as source code is.
            return CodeReader.read(json);
        }
        if (count == 0) {
            throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.no-messages"));
        }
        return conversation.reading(name(root));
    }

    private static Optional<String> text(JsonNode message) {
        boolean isSpoken = message.has("role")
                || message.has("author")
                || message.has("user")
                || message.has("username")
                || message.has("bot_id");
        if (!isSpoken) {
            return Optional.empty();
        }
        var content = message.has("content") ? message.get("content") : message.path("text");
        if (content.isString()) {
            return Optional.of(content.stringValue());
        }
        // Assistants also write a message as a list of parts.
        var parts = new StringBuilder();
        for (var part : content) {
            parts.append(
                            part.isString()
                                    ? part.stringValue()
                                    : part.path("text").asString(""))
                    .append('\n');
        }
        return content.isArray() ? Optional.of(parts.toString()) : Optional.empty();
    }

    private static String author(JsonNode message) {
        for (var person : List.of(message.path("author"), message.path("user_profile"))) {
            if (person.isString()) {
                return person.stringValue();
            }
            for (var name : AUTHOR_NAMES) {
                if (person.path(name).isString()
                        && !person.path(name).stringValue().isBlank()) {
                    return person.path(name).stringValue();
                }
            }
        }
        for (var name : List.of("username", "user", "role")) {
            if (message.path(name).isString()) {
                return message.path(name).stringValue();
            }
        }
        return "";
    }

    private static @Nullable String id(JsonNode message) {
        for (var name : List.of("id", "message_id", "ts")) {
            var id = message.path(name);
            if (id.isString() || id.isNumber()) {
                return id.asString();
            }
        }
        return null;
    }

    /** The URL of the message in Discord. */
    private static @Nullable String url(JsonNode root, JsonNode message) {
        var guild = root.path("guild").path("id");
        var channel = root.path("channel").path("id");
        var id = message.path("id");
        boolean known = isNumber(guild) && isNumber(channel) && isNumber(id);
        return known
                ? "https://discord.com/channels/%s/%s/%s".formatted(guild.asString(), channel.asString(), id.asString())
                : null;
    }

    private static boolean isNumber(JsonNode id) {
        return id.isString() && id.stringValue().matches("[0-9]{1,20}");
    }

    private static @Nullable String name(JsonNode root) {
        var name = root.path("channel").path("name");
        return name.isString() ? name.stringValue() : null;
    }
}
