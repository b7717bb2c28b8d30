package io.hiroba.saga;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.LinkTokens;
import io.hiroba.platform.http.SecretStore;
import java.util.Optional;

/**
 * Signed tokens of the links in mails that ask for an approval. Each holds an approval and an assignee, and is good for the one
 * decision of that assignee, until the approval is closed.
 */
final class ApprovalLinks {

    private static final int MAC_LENGTH = 32;

    private final LinkTokens tokens;

    ApprovalLinks(SecretStore secrets) {
        tokens = new LinkTokens(secrets.get("approval-key"), 2, MAC_LENGTH);
    }

    /** The content of a token. */
    record Link(long approval, UserId user) {}

    String write(long approval, UserId user) {
        return tokens.write(approval, user.value());
    }

    /** The content of the token, if it was issued here. */
    Optional<Link> read(String text) {
        return tokens.read(text).map(ids -> new Link(ids[0], new UserId(ids[1])));
    }
}
