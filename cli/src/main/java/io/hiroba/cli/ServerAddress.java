package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.net.URI;
import java.util.List;
import java.util.Locale;

/** The base URL of a server. */
record ServerAddress(URI uri) {

    static final ServerAddress DEFAULT = parse("http://127.0.0.1:8080");

    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "[::1]");

    static ServerAddress parse(String text) {
        URI uri;
        try {
            uri = URI.create(text.strip().replaceAll("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw notAnAddress(text);
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!List.of("http", "https").contains(scheme)
                || uri.getHost() == null
                || uri.getUserInfo() != null
                || uri.getQuery() != null
                || uri.getFragment() != null) {
            throw notAnAddress(text);
        }
        return new ServerAddress(uri);
    }

    private static Failure notAnAddress(String text) {
        return Failure.usage(text("usage.not-an-address", text));
    }

    URI resolve(String path) {
        return URI.create(uri + path);
    }

    /** Whether requests are sent unencrypted over a network. */
    boolean isOpenToReaders() {
        return "http".equalsIgnoreCase(uri.getScheme()) && !LOOPBACK.contains(uri.getHost());
    }
}
