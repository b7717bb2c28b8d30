package io.hiroba.platform.db;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Parses the URL of a PostgreSQL database: {@code postgresql://user:password@host/db} or a JDBC URL. */
final class DatabaseUrl {

    private DatabaseUrl() {}

    /** {@code config} with a JDBC URL, and with the user and password of the URL where it names them. */
    static DatabaseConfig resolve(DatabaseConfig config) {
        var url = config.url();
        if (url.startsWith("jdbc:postgresql:")) {
            return config;
        }
        if (!url.matches("postgres(ql)?://.+")) {
            throw new DatabaseException(
                    "The database URL must be like postgresql://user:password@host:5432/hiroba or a JDBC URL of PostgreSQL.");
        }
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new DatabaseException(
                    "The database URL cannot be read: percent-encode special characters in the password.", e);
        }
        var authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        var credentials = at < 0 ? "" : authority.substring(0, at);
        int colon = credentials.indexOf(':');
        var user = decode(colon < 0 ? credentials : credentials.substring(0, colon));
        var password = colon < 0 ? "" : decode(credentials.substring(colon + 1));
        var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        var path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return config.at(
                "jdbc:postgresql://" + authority.substring(at + 1) + path + query,
                user.isEmpty() ? config.user() : user,
                password.isEmpty() ? config.password() : password);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
