package io.hiroba.saga.call;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.RefusedValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * The address of a service, such as {@code http://orders:8080/api} or {@code grpc://stock:9000}; {@code worker:} for one whose calls
 * are fetched by workers (ADR 97).
 *
 * @param uri with a host, without a slash at its end; {@code worker:/} for workers
 */
public record Endpoint(URI uri) {

    static final int MAX_LENGTH = 2000;

    private static final Set<String> HTTP = Set.of("http", "https");
    private static final Set<String> GRPC = Set.of("grpc", "grpcs");
    private static final String PLAIN = "-._~:@";
    private static final String WORKER = "worker:";

    /** Throws {@link RefusedValueException}, which says what the text must be. */
    public static Endpoint parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new RefusedValueException(Text.of("saga.endpoint.length", "max", Integer.toString(MAX_LENGTH)));
        }
        if (text.equalsIgnoreCase(WORKER)) {
            return new Endpoint(URI.create(WORKER + "/"));
        }
        URI uri;
        try {
            uri = new URI(inLowerCase(text.replaceAll("/+$", "")));
        } catch (URISyntaxException e) {
            throw new RefusedValueException(Text.of("saga.endpoint.example"));
        }
        return new Endpoint(uri);
    }

    /** Scheme and host are case-insensitive and normalized to lower case; a path is not. */
    private static String inLowerCase(String text) {
        int host = text.indexOf("://") + 3;
        int path = host < 3 ? 0 : text.indexOf('/', host);
        int end = path < 0 ? text.length() : path;
        return text.substring(0, end).toLowerCase(Locale.ROOT) + text.substring(end);
    }

    public Endpoint {
        var scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean isWorker = uri.toString().equals(WORKER + "/");
        if (!HTTP.contains(scheme) && !GRPC.contains(scheme) && !isWorker) {
            throw new RefusedValueException(Text.of("saga.endpoint.scheme"));
        }
        if (!isWorker && (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > 65_535)) {
            throw new RefusedValueException(Text.of("saga.endpoint.host"));
        }
        if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new RefusedValueException(Text.of("saga.endpoint.extras"));
        }
        var path = uri.getPath();
        if (!path.isEmpty() && GRPC.contains(scheme)) {
            throw new RefusedValueException(Text.of("saga.endpoint.no-path"));
        }
        if (path.contains("//") || path.matches(".*/\\.{1,2}(/.*)?")) {
            throw new RefusedValueException(Text.of("saga.endpoint.path"));
        }
    }

    boolean isGrpc() {
        return GRPC.contains(scheme());
    }

    /** Whether workers fetch the calls, so that there is no address. */
    public boolean isWorker() {
        return uri.toString().equals(WORKER + "/");
    }

    boolean isHttp() {
        return HTTP.contains(scheme());
    }

    boolean isEncrypted() {
        return scheme().equals("https") || scheme().equals("grpcs");
    }

    /** Scheme, host and port: what credentials are sent to, and to nothing else. */
    public String origin() {
        return isWorker() ? WORKER : scheme() + "://" + host() + ":" + port();
    }

    String host() {
        return uri.getHost();
    }

    /** Without one, those of the web. */
    int port() {
        return uri.getPort() > 0 ? uri.getPort() : isEncrypted() ? 443 : 80;
    }

    private String scheme() {
        return uri.getScheme().toLowerCase(Locale.ROOT);
    }

    /** The address of a method, which is a path below this endpoint: it cannot lead out of it. */
    URI at(String method) {
        var path = new StringBuilder(uri.toString());
        for (var part : method.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                throw new IllegalArgumentException("the method is no path below the service's endpoint");
            }
            path.append('/').append(encoded(part));
        }
        return URI.create(path.toString());
    }

    /** Percent-encodes a text for a path or a header. */
    static String encoded(String text) {
        var encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0);
            encoded.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c));
        }
        return encoded.toString();
    }

    @Override
    public String toString() {
        return isWorker() ? WORKER : uri.toString();
    }
}
