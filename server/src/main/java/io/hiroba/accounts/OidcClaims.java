package io.hiroba.accounts;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the claims of an ID token and of user info. */
final class OidcClaims {

    private static final int MAX_SUBJECT = 255;
    private static final int MAX_NAME = 200;

    private OidcClaims() {}

    static OidcIdentity identity(OidcProvider provider, String issuer, Map<String, Object> claims) {
        var config = provider.config();
        var subject = text(claims, "sub");
        if (subject.isEmpty() || subject.length() > MAX_SUBJECT) {
            throw AccountsProblem.oidcFailed(provider.name());
        }
        var email = text(claims, "email");
        return new OidcIdentity(
                issuer,
                subject,
                name(first(claims, email, "preferred_username", "nickname", "name", "sub")),
                isTrue(claims.get("email_verified")) ? parsed(email) : Optional.empty(),
                name(first(claims, text(claims, "nickname"), "preferred_username", "name", "given_name")),
                config.adminGroups().isEmpty() ? null : isMember(config, claims));
    }

    private static boolean isMember(OidcConfig config, Map<String, Object> claims) {
        var groups = find(claims, config.groupsClaim());
        var named = groups instanceof Collection<?> several ? several : groups == null ? List.of() : List.of(groups);
        return named.stream().anyMatch(group -> config.adminGroups().contains(String.valueOf(group)));
    }

    /** The claim of this name, or else at the end of this path through objects. */
    static @Nullable Object find(Map<?, ?> claims, String path) {
        if (claims.containsKey(path)) {
            return claims.get(path);
        }
        int dot = path.indexOf('.');
        return dot > 0 && claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner
                ? find(inner, path.substring(dot + 1))
                : null;
    }

    private static String first(Map<String, Object> claims, String preferred, String... names) {
        return Stream.concat(Stream.of(preferred), Stream.of(names).map(name -> text(claims, name)))
                .filter(value -> !value.isBlank())
                .findFirst()
                .orElse("");
    }

    private static String text(Map<String, Object> claims, String name) {
        return claims.get(name) instanceof String text ? text.strip() : "";
    }

    /** Some providers send it as text. */
    private static boolean isTrue(@Nullable Object value) {
        return "true".equals(String.valueOf(value));
    }

    private static Optional<Email> parsed(String email) {
        try {
            return Optional.of(Email.parse(email));
        } catch (AccountsProblem e) {
            return Optional.empty();
        }
    }

    /** One line that can be stored. */
    private static String name(String text) {
        var line = text.codePoints()
                .filter(c -> !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE)
                .limit(MAX_NAME)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
        return line.toString();
    }
}
