package io.hiroba.knowledge.sessions;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import java.util.Optional;
import java.util.regex.Pattern;

/** The owner's key of a session, such as {@code thread:42}. */
public record SessionKey(String text) {

    /** The name under which sources of a session have its key in their metadata. */
    public static final String METADATA = "origin_session_key";

    /** Characters that are safe in a URL path, possibly escaped. */
    private static final Pattern FORM = Pattern.compile("(?=.*[\\p{L}\\p{N}])[\\p{L}\\p{M}\\p{N}:._@+=~-]{1,200}");

    public static SessionKey parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw KnowledgeProblem.invalid("key", Text.of("knowledge.field.key"));
        }
        return new SessionKey(text);
    }

    /** The type that the key begins with. */
    public Optional<SessionType> type() {
        int colon = text.indexOf(':');
        return colon < 0 ? Optional.empty() : SessionType.of(text.substring(0, colon));
    }

    @Override
    public String toString() {
        return text;
    }
}
