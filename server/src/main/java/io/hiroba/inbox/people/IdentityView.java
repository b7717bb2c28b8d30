package io.hiroba.inbox.people;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An identity as it is shown. */
record IdentityView(
        String id,
        String user,
        String provider,
        @Nullable String connection,
        @Nullable String username,
        @Nullable String email,
        boolean confirmed,
        boolean waiting,
        Instant createdAt) {

    static IdentityView of(Identity identity) {
        var name = identity.name();
        return new IdentityView(
                identity.id().hex(),
                identity.user().hex(),
                IdentityRoutes.PROVIDER,
                name.connection() == null ? null : name.connection().hex(),
                name.username(),
                name.email(),
                identity.confirmed(),
                identity.waiting(),
                identity.createdAt());
    }
}
