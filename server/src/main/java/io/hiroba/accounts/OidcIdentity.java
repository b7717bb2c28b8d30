package io.hiroba.accounts;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A person as an OpenID Connect provider knows them.
 *
 * @param subject the provider's own name for the person, which never changes
 * @param name by which the person recognises it, such as an address
 * @param email empty unless the provider has verified it
 * @param nickname proposed for a new account; it may be none that can be used
 * @param admin whether the groups make an admin of the person; null to leave the role alone
 */
record OidcIdentity(
        String issuer,
        String subject,
        String name,
        Optional<Email> email,
        String nickname,
        @Nullable Boolean admin) {}
