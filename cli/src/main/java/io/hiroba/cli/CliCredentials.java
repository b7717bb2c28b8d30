package io.hiroba.cli;

/**
 * An API token of one server.
 *
 * @param tokenId the id by which the token is revoked
 */
record CliCredentials(ServerAddress server, String token, String tokenId) {

    @Override
    public String toString() {
        return "CliCredentials[server=" + server.uri() + ", tokenId=" + tokenId + "]";
    }
}
