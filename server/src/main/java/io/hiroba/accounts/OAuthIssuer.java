package io.hiroba.accounts;

import io.javalin.http.Context;

/**
 * The name of this server in OAuth: its public address, or the one that a request came to.
 *
 * @param publicUrl empty if it is not configured
 */
record OAuthIssuer(String publicUrl) {

    String of(Context ctx) {
        return publicUrl.isEmpty() ? ctx.scheme() + "://" + ctx.host() : publicUrl;
    }
}
