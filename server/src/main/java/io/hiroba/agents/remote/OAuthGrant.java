package io.hiroba.agents.remote;

import org.jspecify.annotations.Nullable;

/**
 * Tokens for a server of tools, with all that it takes to refresh them. It is encrypted as a whole, so that nobody who writes into the database
 * can have a token sent elsewhere.
 *
 * @param accessToken empty while a person is asked for it
 * @param refreshToken empty if there is none
 */
record OAuthGrant(
        String resource,
        String tokenEndpoint,
        @Nullable String revocationEndpoint,
        ClientRegistration client,
        String accessToken,
        String refreshToken) {

    /** @param refresh empty where the one before is still good */
    OAuthGrant with(String access, String refresh) {
        return new OAuthGrant(
                resource,
                tokenEndpoint,
                revocationEndpoint,
                client,
                access,
                refresh.isEmpty() ? refreshToken : refresh);
    }

    @Override
    public String toString() {
        return resource;
    }
}
