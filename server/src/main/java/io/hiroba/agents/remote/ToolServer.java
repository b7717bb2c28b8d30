package io.hiroba.agents.remote;

import io.hiroba.mcp.ApiTools.Effect;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server elsewhere whose tools agents may use as far as an admin allows them.
 *
 * @param name begins the names of its tools; it never changes
 * @param header the name of the header in which its credential is sent; null without one
 * @param listedAt when its tools were asked for last; null before that
 * @param failure why that failed; null if it did not
 * @param connection null unless it is connected by OAuth
 */
record ToolServer(
        long id,
        String name,
        String url,
        boolean enabled,
        @Nullable String header,
        Instant createdAt,
        @Nullable Instant listedAt,
        @Nullable String failure,
        @Nullable Connection connection) {

    /**
     * A connection by OAuth.
     *
     * @param scope empty for what is usual there
     * @param expired whether its tokens are good no more
     */
    record Connection(String issuer, String scope, Instant connectedAt, boolean expired) {}

    /** The effects that an admin can judge a tool to have. */
    enum JudgedEffect {
        /** It changes nothing, and is used at once. */
        READS(Effect.NONE),
        /** It changes something that others can ignore, and is used at once. */
        SMALL(Effect.SMALL),
        /** Each use takes the approval of whoever asked. */
        APPROVAL(Effect.LARGE);

        private final Effect effect;

        JudgedEffect(Effect effect) {
            this.effect = effect;
        }

        Effect effect() {
            return effect;
        }

        String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        static JudgedEffect parse(String code) {
            return Arrays.stream(values())
                    .filter(effect -> effect.code().equals(code))
                    .findFirst()
                    .orElseThrow(() -> ToolServerProblem.invalid(
                            "effect",
                            Text.of(
                                    "http.field.one-of",
                                    "values",
                                    Arrays.stream(values())
                                            .map(JudgedEffect::code)
                                            .collect(Collectors.joining(", ")))));
        }
    }

    /** The states of a tool. */
    enum ToolState {
        /** Nobody has allowed it. */
        NEW,
        ALLOWED,
        /** Its definition is another one than was allowed. */
        CHANGED,
        /** The server does not have it any more. */
        GONE,
        /** It cannot be allowed: its definition hides characters, or has no schema. */
        UNUSABLE;

        String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A tool of a server.
     *
     * @param name as agents call it
     * @param definition as the server gave it last
     * @param allowed the definition that an admin allowed; null if none was
     */
    record ServerTool(
            String name,
            RemoteDefinition definition,
            boolean listed,
            @Nullable String allowed,
            JudgedEffect effect) {

        ToolState state() {
            if (!listed) {
                return ToolState.GONE;
            }
            if (!definition.isUsable()) {
                return ToolState.UNUSABLE;
            }
            return allowed == null
                    ? ToolState.NEW
                    : allowed.equals(definition.json()) ? ToolState.ALLOWED : ToolState.CHANGED;
        }
    }
}
