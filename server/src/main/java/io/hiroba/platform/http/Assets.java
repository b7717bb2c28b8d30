package io.hiroba.platform.http;

import io.hiroba.platform.id.Sha256;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The static files of pages, from the class path: those under {@code assets/}, and a few of libraries; and some that are made
 * when they are first asked for. The URL of a file
 * contains a hash of its content, so browsers may cache it for ever and still see a change at once.
 */
public final class Assets implements Routes {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]*(/[a-z0-9][a-z0-9_.-]*)*");
    private static final Map<String, String> TYPES = Map.of(
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "woff2", "font/woff2",
            "webmanifest", "application/manifest+json");

    private final Map<String, Asset> known = new ConcurrentHashMap<>();
    private final Map<String, Supplier<byte[]>> made = new ConcurrentHashMap<>();
    private final Map<String, String> libraries;

    public Assets() {
        var swagger = "META-INF/resources/webjars/swagger-ui/" + version("org.webjars/swagger-ui") + "/";
        this.libraries = Map.of(
                "htmx.js",
                "META-INF/resources/webjars/htmx.org/" + version("org.webjars.npm/htmx.org") + "/dist/htmx.min.js",
                "swagger-ui.css",
                swagger + "swagger-ui.css",
                "swagger-ui-bundle.js",
                swagger + "swagger-ui-bundle.js");
    }

    /** Serves what {@code content} makes, when it is first asked for, as the file {@code name}. */
    public void add(String name, Supplier<byte[]> content) {
        made.put(name, content);
    }

    /** The address of the file {@code name}, such as {@code app.css}, for a page to link to. */
    public String url(String name) {
        var asset = find(name).orElseThrow(() -> new IllegalArgumentException("there is no asset " + name));
        return asset.url();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/assets/{hash}/<name>", this::serve);
    }

    private void serve(Context ctx) {
        var name = ctx.pathParam("name");
        var asset = find(name).orElseThrow(HttpProblem::notFound);
        // A page rendered by a node of another version asks for another content: it gets this one, but may not cache
        // it.
        boolean current = asset.hash().equals(ctx.pathParam("hash"));
        ctx.header("Cache-Control", current ? "public, max-age=31536000, immutable" : "no-store");
        ctx.contentType(asset.type()).result(asset.content());
    }

    private Optional<Asset> find(String name) {
        var asset = known.get(name);
        if (asset == null && NAME.matcher(name).matches()) {
            asset = load(name).orElse(null);
            if (asset != null) {
                known.put(name, asset);
            }
        }
        return Optional.ofNullable(asset);
    }

    private Optional<Asset> load(String name) {
        var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            return Optional.empty();
        }
        var maker = made.get(name);
        var found = maker == null ? resource(libraries.getOrDefault(name, "assets/" + name)) : Optional.of(maker.get());
        return found.map(content -> Asset.of(name, content, type));
    }

    /** The version of a library on the class path, from its jar. */
    private static String version(String artifact) {
        var path = "META-INF/maven/" + artifact + "/pom.properties";
        var properties = new Properties();
        try (var stream = Assets.class.getClassLoader().getResourceAsStream(path)) {
            if (stream == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            properties.load(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "");
    }

    static Optional<byte[]> resource(String path) {
        try (var stream = Assets.class.getClassLoader().getResourceAsStream(path)) {
            return stream == null ? Optional.empty() : Optional.of(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Asset(byte[] content, String hash, String type, String url) {

        static Asset of(String name, byte[] content, String type) {
            var hash = Sha256.hex(content).substring(0, 16);
            return new Asset(content, hash, type, "/assets/" + hash + "/" + name);
        }
    }
}
