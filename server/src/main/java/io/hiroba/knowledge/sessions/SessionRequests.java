package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.DiscordId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the requests of the session API. */
final class SessionRequests {

    /** The maximum size: a hundred messages of some pages each. */
    private static final ByteSize MAX_BODY_SIZE = ByteSize.parse("8MB");

    private static final Pattern TAG = Pattern.compile("\"([1-9]\\d{0,8})\"");

    private SessionRequests() {}

    /** The attributes of a session in a request. */
    record SessionBody(
            @Nullable String type,
            @Nullable DiscordId guildId,
            @Nullable DiscordId channelId,
            @Nullable DiscordId threadId,
            @Nullable DiscordId userId,
            @Nullable String visibility) {

        ChatSessions.Draft draft(SessionKey key) {
            var kind = type == null
                    ? key.type()
                            .orElseThrow(() ->
                                    KnowledgeProblem.invalid("type", Text.of("knowledge.field.session-type-needed")))
                    : SessionType.parse(type);
            var context = new DiscordContext(
                    DiscordId.valueOf(guildId),
                    DiscordId.valueOf(channelId),
                    DiscordId.valueOf(threadId),
                    DiscordId.valueOf(userId));
            return new ChatSessions.Draft(kind, isPublic(), context);
        }

        private boolean isPublic() {
            if (visibility != null && !visibility.equals("public") && !visibility.equals("private")) {
                throw KnowledgeProblem.invalid("visibility", Text.of("knowledge.field.visibility"));
            }
            return "public".equals(visibility);
        }
    }

    /** A message in a request. */
    record MessageBody(
            String role,
            String content,
            @Nullable String author,
            @Nullable DiscordId messageId,
            @Nullable Instant sentAt) {

        NewMessage message() {
            return new NewMessage(MessageRole.parse(role), content, author, DiscordId.valueOf(messageId), sentAt);
        }
    }

    static SessionRef ref(Context ctx, Caller caller) {
        return new SessionRef(owner(ctx, caller), SessionKey.parse(ctx.pathParam("key")));
    }

    static UserId owner(Context ctx, Caller caller) {
        var owner = ctx.queryParam("owner");
        return owner == null ? caller.user() : UserId.parse(owner);
    }

    static byte[] bytes(Context ctx) {
        return Body.bytes(ctx, MAX_BODY_SIZE);
    }

    /** One message, or a list of them. */
    static List<NewMessage> messages(Context ctx, byte[] body) {
        int first = 0;
        while (first < body.length && body[first] <= ' ' && body[first] >= 0) {
            first++;
        }
        boolean isList = first < body.length && body[first] == '[';
        var bodies = isList
                ? Body.exactJson(ctx, body, MessageBody[].class)
                : new MessageBody[] {Body.exactJson(ctx, body, MessageBody.class)};
        if (Arrays.asList(bodies).contains(null)) {
            throw HttpProblem.invalid("body", Text.of("knowledge.field.null"));
        }
        return Arrays.stream(bodies).map(MessageBody::message).toList();
    }

    /** The version in {@code If-Match}; null without the header. */
    static @Nullable Integer expected(Context ctx) {
        var header = ctx.header("If-Match");
        if (header == null) {
            return null;
        }
        if (header.strip().equals("*")) {
            return ChatSessions.ANY_VERSION;
        }
        var tag = TAG.matcher(header.strip());
        // A tag of another form matches no version.
        return tag.matches() ? Integer.valueOf(tag.group(1)) : Integer.valueOf(-1);
    }

    static boolean isKnown(Context ctx, String tag) {
        var header = ctx.header("If-None-Match");
        return header != null
                && Arrays.stream(header.split(",", -1))
                        .map(known -> known.strip().replaceFirst("^W/", ""))
                        .anyMatch(known -> known.equals(tag) || known.equals("*"));
    }

    static @Nullable Integer before(Context ctx) {
        var before = ctx.queryParam("before");
        if (before == null) {
            return null;
        }
        if (!before.matches("[0-9]{1,9}")) {
            throw HttpProblem.invalid("before", Text.of("knowledge.field.before"));
        }
        return Integer.valueOf(before);
    }
}
