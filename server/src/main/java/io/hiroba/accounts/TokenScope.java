package io.hiroba.accounts;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The scopes of API tokens and apps: an area and what may be done there. The OpenAPI document gives each operation one. */
public enum TokenScope {
    ACCOUNT_READ,
    ACCOUNT_WRITE,
    PEOPLE_READ,
    PEOPLE_WRITE,
    POSTS_READ,
    POSTS_WRITE,
    MESSAGES_READ,
    MESSAGES_WRITE,
    MEDIA_READ,
    MEDIA_WRITE,
    NOTIFICATIONS_READ,
    NOTIFICATIONS_WRITE,
    INBOX_READ,
    INBOX_WRITE,
    INBOX_NOTIFY,
    RECORDS_READ,
    RECORDS_WRITE,
    RECORDS_MANAGE,
    SAGAS_READ,
    SAGAS_START,
    SAGAS_MANAGE,
    SAGAS_WORK,
    KNOWLEDGE_READ,
    KNOWLEDGE_WRITE,
    AI_READ,
    AI_WRITE,
    AGENTS_READ,
    AGENTS_WRITE,
    ADMIN_READ,
    ADMIN_WRITE;

    private static final Map<String, TokenScope> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(TokenScope::code, Function.identity()));

    private final String code = name().toLowerCase(Locale.ROOT).replace('_', ':');

    /** The name in tokens, in JSON and in the OpenAPI document, for example {@code posts:write}. */
    public String code() {
        return code;
    }

    /** The part before the colon. */
    public String area() {
        return code.substring(0, code.indexOf(':'));
    }

    public boolean isRead() {
        return code.endsWith(":read");
    }

    public boolean isForAdmins() {
        return area().equals("admin");
    }

    /** Describes to people what it allows. */
    public Text description() {
        return Text.of("accounts.scope." + code.replace(':', '-'));
    }

    /** The scopes that read, without what only admins see: the least that is of use. */
    public static Granted reading() {
        return Granted.of(Arrays.stream(values())
                .filter(scope -> scope.isRead() && !scope.isForAdmins())
                .map(TokenScope::code)
                .toList());
    }

    /** The scope of a code, with or without a project; empty if there is none. */
    static Optional<TokenScope> find(String code) {
        var known = BY_CODE.get(code);
        if (known != null) {
            return Optional.of(known);
        }
        int colon = code.lastIndexOf(':');
        return colon < 0 || !Ids.isId(code.substring(colon + 1))
                ? Optional.empty()
                : Optional.ofNullable(BY_CODE.get(code.substring(0, colon)))
                        .filter(scope -> scope.area().equals("records"));
    }

    /**
     * The scopes that a token has.
     *
     * @param codes in order, those of a project as {@code records:read:<id>}; null for all scopes
     */
    public record Granted(@Nullable Set<String> codes) {

        public static final Granted ALL = new Granted(null);

        private static final int MAX = 100;

        public Granted {
            codes = codes == null ? null : Collections.unmodifiableSet(new TreeSet<>(codes));
        }

        /** Those of the given codes; a problem if one is unknown, or there is none. */
        public static Granted of(Collection<String> codes) {
            var known = new TreeSet<String>();
            for (var code : codes) {
                if (find(code).isEmpty()) {
                    throw AccountsProblem.invalid("scopes", Text.of("accounts.field.scope", "scope", code));
                }
                known.add(normal(code));
            }
            if (known.isEmpty() || known.size() > MAX) {
                throw AccountsProblem.invalid("scopes", Text.of("accounts.field.scopes", "max", MAX));
            }
            return new Granted(known);
        }

        private static String normal(String code) {
            return BY_CODE.containsKey(code)
                    ? code
                    : code.substring(0, code.lastIndexOf(':') + 1)
                            + code.substring(code.lastIndexOf(':') + 1).toUpperCase(Locale.ROOT);
        }

        /** Parses what was stored as {@link #text}. */
        static Granted stored(@Nullable String text) {
            return text == null ? ALL : new Granted(new TreeSet<>(Arrays.asList(text.split(" ", -1))));
        }

        /** The codes with spaces between, as OAuth has them; null for all. */
        @Nullable
        String text() {
            return codes == null ? null : String.join(" ", codes);
        }

        /** The codes; none if it has all scopes. */
        Set<String> listed() {
            return codes == null ? Set.of() : codes;
        }

        public boolean isAll() {
            return codes == null;
        }

        boolean allows(TokenScope scope) {
            return codes == null || codes.contains(scope.code);
        }

        /** Whether it allows all that {@code other} does. */
        boolean contains(Granted other) {
            if (codes == null || other.codes == null) {
                return codes == null;
            }
            for (var code : other.codes) {
                if (!codes.contains(code) && find(code).filter(this::allows).isEmpty()) {
                    return false;
                }
            }
            return true;
        }

        /** Whether it has the scope, or has it for the project. */
        boolean allows(TokenScope scope, @Nullable String project) {
            return allows(scope)
                    || (project != null && codes != null && codes.contains(normal(scope.code + ":" + project)));
        }
    }
}
