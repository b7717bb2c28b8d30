package io.hiroba.agents.remote;

/**
 * The client that Hiroba is at an authorization server.
 *
 * @param method by which it says who it is at the token endpoint
 * @param secret empty for a public client
 */
record ClientRegistration(String id, String method, String secret) {

    static final String BASIC = "client_secret_basic";
    static final String POST = "client_secret_post";
    static final String NONE = "none";

    @Override
    public String toString() {
        return id;
    }
}
