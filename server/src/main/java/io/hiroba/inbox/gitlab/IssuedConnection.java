package io.hiroba.inbox.gitlab;

/**
 * A connection with its new secret, which is shown this once.
 *
 * @param url what to enter as the webhook's URL
 * @param secret what to enter as its secret token
 */
public record IssuedConnection(Connection connection, String url, String secret) {

    @Override
    public String toString() {
        return "IssuedConnection[" + connection.id() + "]";
    }
}
