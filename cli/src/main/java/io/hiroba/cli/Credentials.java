package io.hiroba.cli;

/**
 * Proof of who one is at one server.
 *
 * @param tokenId by which the token is revoked
 */
record Credentials(ServerAddress server, String token, String tokenId) {

    @Override
    public String toString() {
        return "Credentials[server=" + server.uri() + ", tokenId=" + tokenId + "]";
    }
}
