package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** A normalized HTTP URL: without a fragment and without a default port. */
record WebUrl(URI uri) {

    private static final int MAX_LENGTH = 2000;

    static WebUrl parse(String text) {
        var written = text.strip();
        if (written.length() > MAX_LENGTH) {
            throw invalid("must not be longer than %,d characters".formatted(MAX_LENGTH));
        }
        try {
            return of(new URI(written));
        } catch (URISyntaxException e) {
            throw invalid("must be a URL such as https://example.org/page");
        }
    }

    /** The target of a redirect. */
    WebUrl next(String location) {
        try {
            return of(uri.resolve(new URI(location.strip())));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw FetchProblem.failed("it redirects to an invalid URL.");
        }
    }

    private static WebUrl of(URI uri) throws URISyntaxException {
        var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw invalid("must begin with http:// or https://");
        }
        var authority = uri.getRawAuthority();
        if (uri.getHost() == null || authority == null) {
            throw invalid("must have a host, such as in https://example.org/page");
        }
        if (authority.contains("@")) {
            throw invalid("must not contain a user name or password");
        }
        int usual = scheme.equals("http") ? 80 : 443;
        int port = uri.getPort() == usual ? -1 : uri.getPort();
        if (port == 0 || port > 65_535) {
            throw invalid("must have a port from 1 to 65535, if any");
        }
        var host = uri.getHost().toLowerCase(Locale.ROOT);
        var path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        var text = scheme + "://" + host + (port < 0 ? "" : ":" + port) + path + query;
        return new WebUrl(new URI(text).normalize());
    }

    private static KnowledgeProblem invalid(String message) {
        return KnowledgeProblem.invalid("url", message);
    }

    /** The last part of the path. */
    String name() {
        var path = uri.getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    @Override
    public String toString() {
        return uri.toASCIIString();
    }
}
