package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** A normalized HTTP URL: without a fragment and without a default port. */
record WebUrl(URI uri) {

    private static final int MAX_LENGTH = 2000;

    static WebUrl parse(String text) {
        var written = text.strip();
        if (written.length() > MAX_LENGTH) {
            throw invalid(Text.of("knowledge.field.url-length", "max", MAX_LENGTH));
        }
        try {
            return of(new URI(written));
        } catch (URISyntaxException e) {
            throw invalid(Text.of("knowledge.field.url"));
        }
    }

    /** The target of a redirect. */
    WebUrl next(String location) {
        try {
            return of(uri.resolve(new URI(location.strip())));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw FetchProblem.failed(Text.of("knowledge.fetch.bad-redirect"));
        }
    }

    private static WebUrl of(URI uri) throws URISyntaxException {
        var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw invalid(Text.of("knowledge.field.url-scheme"));
        }
        var authority = uri.getRawAuthority();
        if (uri.getHost() == null || authority == null) {
            throw invalid(Text.of("knowledge.field.url-host"));
        }
        if (authority.contains("@")) {
            throw invalid(Text.of("knowledge.field.url-user"));
        }
        int usual = scheme.equals("http") ? 80 : 443;
        int port = uri.getPort() == usual ? -1 : uri.getPort();
        if (port == 0 || port > 65_535) {
            throw invalid(Text.of("knowledge.field.url-port"));
        }
        var host = uri.getHost().toLowerCase(Locale.ROOT);
        var path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        var text = scheme + "://" + host + (port < 0 ? "" : ":" + port) + path + query;
        return new WebUrl(new URI(text).normalize());
    }

    private static KnowledgeProblem invalid(Text message) {
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
