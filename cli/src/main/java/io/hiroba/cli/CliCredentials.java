package io.hiroba.cli;

import java.util.regex.Pattern;

/**
 * An API token of one server.
 *
 * @param tokenId the id by which the token is revoked
 */
record CliCredentials(ServerAddress server, String token, String tokenId) {

    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    /** Whether a header can carry a text as a token. */
    static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    @Override
    public String toString() {
        return "CliCredentials[server=" + server.uri() + ", tokenId=" + tokenId + "]";
    }
}
