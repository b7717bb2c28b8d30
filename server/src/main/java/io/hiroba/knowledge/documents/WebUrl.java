package io.hiroba.knowledge.documents;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.util.Locale;
import java.util.regex.Pattern;

/** A normalized HTTP URL: without a fragment and without a default port. */
record WebUrl(URI uri) {

    private static final int MAX_LENGTH = 2000;

    private static final Pattern SPACE = Pattern.compile("\\p{Zs}");

    /** The host with what is before it, of an address with or without a scheme. */
    private static final Pattern AUTHORITY =
            Pattern.compile("((?:[A-Za-z][A-Za-z0-9+.-]*:)?//)([^/?#:@\\[\\]]+)(?![^/?#]*@)");

    static WebUrl parse(String text) {
        var written = text.strip();
        if (written.length() > MAX_LENGTH) {
            throw invalid(Text.of("knowledge.field.url-length", "max", MAX_LENGTH));
        }
        try {
            return of(new URI(encoded(written)));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw invalid(Text.of("knowledge.field.url"));
        }
    }

    /** The target of a redirect. */
    WebUrl next(String location) {
        try {
            return of(uri.resolve(new URI(encoded(location.strip()))));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw FetchProblem.failed(Text.of("knowledge.fetch.bad-redirect"));
        }
    }

    /**
     * A URL as browsers take it, with its host as DNS knows it and its spaces encoded; whatever comes after sees these alone.
     *
     * @throws IllegalArgumentException for a host that no name can be
     */
    private static String encoded(String written) {
        var encoded = SPACE.matcher(written)
                .replaceAll(space -> URLEncoder.encode(space.group(), UTF_8).replace("+", "%20"));
        var authority = AUTHORITY.matcher(encoded);
        if (!authority.lookingAt() || authority.group(2).chars().allMatch(c -> c < 128)) {
            return encoded;
        }
        var host = IDN.toASCII(authority.group(2), IDN.USE_STD3_ASCII_RULES);
        return authority.group(1) + host + encoded.substring(authority.end());
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
        return new WebUrl(new URI(new URI(text).normalize().toASCIIString()));
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
        return uri.toString();
    }
}
