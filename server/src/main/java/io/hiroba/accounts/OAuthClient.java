package io.hiroba.accounts;

import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An app that registered itself.
 *
 * @param name as it calls itself; nobody has verified it
 * @param secretHash null for one that cannot keep a secret, such as an app on somebody's own machine
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OAuthClient(AppId id, String name, byte @Nullable [] secretHash, List<RedirectUri> redirectUris) {

    static final int MAX_NAME = 100;
    static final int MAX_REDIRECT_URIS = 10;

    OAuthClient {
        redirectUris = List.copyOf(redirectUris);
    }

    /** The address to send a browser to: one that is registered, or the only one if none was asked for. */
    Optional<RedirectUri> redirect(Optional<String> asked) {
        return asked.isPresent()
                ? asked.filter(uri -> redirectUris.stream().anyMatch(known -> known.matches(uri)))
                        .map(RedirectUri::new)
                : Optional.of(redirectUris).filter(all -> all.size() == 1).map(List::getFirst);
    }

    /** Whether this is how the client authenticates: by its secret if it has one, by its id alone otherwise. */
    boolean isAuthenticatedBy(Optional<String> secret) {
        var hash = secretHash;
        return hash == null
                ? secret.isEmpty()
                : secret.filter(text -> MessageDigest.isEqual(new BearerSecret(text).hash(), hash))
                        .isPresent();
    }
}
