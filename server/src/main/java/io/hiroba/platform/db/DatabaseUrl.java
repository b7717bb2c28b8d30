package io.hiroba.platform.db;

import io.hiroba.platform.db.DatabaseConfig.Tls.Mode;
import io.hiroba.platform.i18n.Text;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parses the URL of a PostgreSQL database: {@code postgresql://user:password@host/db} or a JDBC URL. Of several hosts the primary
 * is used, whichever kind of server the URL asks for: Hiroba writes.
 */
final class DatabaseUrl {

    static final String TARGET = "targetServerType";

    private DatabaseUrl() {}

    /** {@code config} with a JDBC URL, and with the user and password of the URL where it names them. */
    static DatabaseConfig resolve(DatabaseConfig config) {
        requireTls(config);
        var url = config.url();
        if (url.startsWith("jdbc:postgresql:")) {
            return config.at(atPrimary(url), config.user(), config.password());
        }
        if (!url.matches("postgres(ql)?://.+")) {
            throw new DatabaseException(Text.of("server.start.bad-url"));
        }
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new DatabaseException(Text.of("server.start.unreadable-url"), e);
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
                atPrimary("jdbc:postgresql://" + authority.substring(at + 1) + path + query),
                user.isEmpty() ? config.user() : user,
                password.isEmpty() ? config.password() : password);
    }

    /** Refuses a URL with another mode of TLS than the settings have: one of them would be broken without a word. */
    private static void requireTls(DatabaseConfig config) {
        var mode = config.tls().mode();
        var named = Pattern.compile("[?&]sslmode=([^&]*)").matcher(config.url());
        if (mode != Mode.PREFER && named.find() && !named.group(1).equals(mode.code())) {
            throw new DatabaseException(
                    Text.of("server.start.two-tls-modes", "mode", mode.code(), "url", named.group(1)));
        }
    }

    private static String atPrimary(String url) {
        int mark = url.indexOf('?');
        var address = mark < 0 ? url : url.substring(0, mark);
        var parameters =
                mark < 0 ? List.<String>of() : List.of(url.substring(mark + 1).split("&", -1));
        var others = parameters.stream()
                .filter(each -> !each.startsWith(TARGET + "=") && !each.startsWith("target_session_attrs="))
                .toList();
        if (others.size() == parameters.size() && !address.contains(",")) {
            return url;
        }
        return Stream.concat(others.stream(), Stream.of(TARGET + "=primary"))
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining("&", address + "?", ""));
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
