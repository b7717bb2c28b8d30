package io.hiroba.inbox.gitlab.connections;

/**
 * A connection whose secret was just made. It is shown this once.
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
