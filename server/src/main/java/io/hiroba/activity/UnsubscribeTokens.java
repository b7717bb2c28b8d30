package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.LinkTokens;
import io.hiroba.platform.http.SecretStore;
import java.util.Optional;

/**
 * Signed tokens of unsubscribe links, which hold the user's id. They never expire, since a mail may be read years later, and
 * permit nothing else.
 */
final class UnsubscribeTokens {

    private static final int MAC_LENGTH = 16;

    private final LinkTokens tokens;

    UnsubscribeTokens(SecretStore secrets) {
        tokens = new LinkTokens(secrets.get("unsubscribe-key"), 1, MAC_LENGTH);
    }

    String write(UserId user) {
        return tokens.write(user.value());
    }

    /** The user of the token, if it was issued here. */
    Optional<UserId> read(String text) {
        return tokens.read(text).map(ids -> new UserId(ids[0]));
    }
}
