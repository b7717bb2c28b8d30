package io.hiroba.accounts;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An address of an app to which browsers are sent back: by https, by http to the reader's own machine, or by a scheme of the app
 * itself (RFC 8252).
 */
record RedirectUri(String text) {

    static final int MAX_LENGTH = 500;

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]", "localhost");

    /** Schemes that browsers handle themselves. */
    private static final Set<String> REFUSED = Set.of(
            "about",
            "blob",
            "chrome",
            "data",
            "file",
            "filesystem",
            "ftp",
            "intent",
            "javascript",
            "mailto",
            "vbscript",
            "view-source",
            "ws",
            "wss");

    /** @throws OAuthError if an app must not be sent there */
    static RedirectUri parse(String text) {
        if (text.length() > MAX_LENGTH || !text.matches("[\\x21-\\x7E]+")) {
            throw OAuthError.invalidRedirectUri("A redirect URI must be at most 500 ASCII characters.");
        }
        var uri = uri(text).orElseThrow(() -> OAuthError.invalidRedirectUri("A redirect URI cannot be parsed."));
        var scheme = scheme(uri);
        if (scheme.isEmpty() || uri.isOpaque() || uri.getRawFragment() != null || uri.getRawUserInfo() != null) {
            throw OAuthError.invalidRedirectUri("A redirect URI must be absolute, without a fragment or a user.");
        }
        boolean isAllowed = switch (scheme) {
            case "https" -> uri.getHost() != null;
            case "http" -> uri.getHost() != null && LOOPBACK.contains(uri.getHost());
            default -> !REFUSED.contains(scheme);
        };
        if (!isAllowed) {
            throw OAuthError.invalidRedirectUri(
                    "A redirect URI must be https, http to a loopback address, or have a scheme of the app itself.");
        }
        return new RedirectUri(text);
    }

    /** Whether a browser may be sent to {@code asked} where this is registered: any port will do on a loopback address. */
    boolean matches(String asked) {
        if (text.equals(asked)) {
            return true;
        }
        var registered = uri(text).orElseThrow();
        return isLoopback() && uri(asked).map(RedirectUri::withoutPort).equals(Optional.of(withoutPort(registered)));
    }

    private static String withoutPort(URI uri) {
        return uri.getPort() < 0 ? uri.toString() : uri.toString().replaceFirst(":" + uri.getPort() + "(?=[/?]|$)", "");
    }

    /** Whether it leads to the reader's own machine. */
    boolean isLoopback() {
        var uri = uri(text).orElseThrow();
        return scheme(uri).equals("http") && uri.getHost() != null && LOOPBACK.contains(uri.getHost());
    }

    private static Optional<URI> uri(String text) {
        try {
            return Optional.of(new URI(text));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static String scheme(URI uri) {
        return uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    }

    /** The part that people are shown: the host, or the scheme of an app on their own machine. */
    String place() {
        var uri = uri(text).orElseThrow();
        return uri.getHost() == null || !Set.of("http", "https").contains(scheme(uri))
                ? scheme(uri) + ":"
                : uri.getHost();
    }

    /** The source of a content security policy that lets a form lead there. */
    String formTarget() {
        var uri = uri(text).orElseThrow();
        // No source can name an address of IPv6.
        boolean isNamed =
                Set.of("http", "https").contains(scheme(uri)) && !uri.getHost().startsWith("[");
        return isNamed ? scheme(uri) + "://" + uri.getRawAuthority() : scheme(uri) + ":";
    }

    /** The address with more parameters in its query. */
    String with(Map<String, String> parameters) {
        var query = parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return text + (text.contains("?") ? "&" : "?") + query;
    }
}
