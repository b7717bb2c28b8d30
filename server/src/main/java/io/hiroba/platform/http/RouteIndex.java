package io.hiroba.platform.http;

import io.hiroba.platform.task.Lazy;
import io.javalin.config.JavalinState;
import io.javalin.config.RouterConfig;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import io.javalin.router.InternalRouter;
import io.javalin.router.ParsedEndpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The routes in a tree by the segments of their paths. Javalin tries the pattern of one route after the other, and does so
 * three times a request. The tree leaves one or two to try: it may propose a route that does not match, but never leaves one out
 * that does. Which of them answers is decided by Javalin's patterns and the order of registration, as without it. A pattern is
 * made when the tree first leads to it, since making those of all routes is a good part of a start.
 */
final class RouteIndex extends InternalRouter {

    /** By the names of the methods. */
    private final Map<String, Node> roots = new HashMap<>();

    private final List<Route> routes = new ArrayList<>();
    private final RouterConfig config;

    private RouteIndex(JavalinState javalin) {
        super(javalin.wsRouter, javalin.eventManager, javalin.router, javalin.jetty);
        this.config = javalin.router;
    }

    /** Takes the place of Javalin's router; to be called before anything is registered. */
    static void install(JavalinState javalin) {
        javalin.internalRouter = new RouteIndex(javalin);
    }

    /** All that was registered, in its order. */
    static List<Endpoint> endpoints(JavalinState javalin) {
        return ((RouteIndex) javalin.internalRouter)
                .routes.stream().map(Route::endpoint).toList();
    }

    @Override
    public InternalRouter addHttpEndpoint(Endpoint endpoint) {
        var route = new Route(routes.size(), endpoint, Lazy.of(() -> new ParsedEndpoint(endpoint, config)));
        routes.add(route);
        roots.computeIfAbsent(endpoint.method.name(), method -> new Node()).add(route);
        return this;
    }

    @Override
    public List<ParsedEndpoint> findHttpHandlerEntries(HandlerType method, @Nullable String path) {
        return path == null
                ? routes.stream()
                        .filter(route -> route.endpoint().method.equals(method))
                        .map(Route::parsed)
                        .toList()
                : matching(method, path).toList();
    }

    @Override
    public @Nullable ParsedEndpoint findFirstHttpHandlerEntry(HandlerType method, String path) {
        return matching(method, path).findFirst().orElse(null);
    }

    @Override
    public boolean hasHttpHandlerEntry(HandlerType method, String path) {
        return findFirstHttpHandlerEntry(method, path) != null;
    }

    private Stream<ParsedEndpoint> matching(HandlerType method, String path) {
        var root = roots.get(method.name());
        if (root == null) {
            return Stream.empty();
        }
        var candidates = new ArrayList<Route>();
        root.collect(path, 0, candidates);
        if (candidates.size() > 1) {
            candidates.sort(Comparator.comparingInt(Route::order));
        }
        return candidates.stream().filter(route -> route.matches(path)).map(Route::parsed);
    }

    private record Route(int order, Endpoint endpoint, Lazy<ParsedEndpoint> pattern) {

        ParsedEndpoint parsed() {
            return pattern.get();
        }

        boolean matches(String path) {
            return endpoint.path.equals("*") || endpoint.path.equals(path) || parsed().matches(path);
        }
    }

    /** The routes whose paths begin alike, up to a segment. */
    private static final class Node {

        private final Map<String, Node> children = new HashMap<>();
        private @Nullable Node parameter;
        private final List<Route> ending = new ArrayList<>();
        private final List<Route> wildcards = new ArrayList<>();

        void add(Route route) {
            var node = this;
            for (var segment : route.endpoint().path.split("/", -1)) {
                if (segment.contains("<") || segment.contains("*")) {
                    node.wildcards.add(route);
                    return;
                }
                if (!segment.isEmpty()) {
                    node = node.child(segment);
                }
            }
            node.ending.add(route);
        }

        private Node child(String segment) {
            if (!segment.contains("{")) {
                return children.computeIfAbsent(segment, literal -> new Node());
            }
            if (parameter == null) {
                parameter = new Node();
            }
            return parameter;
        }

        /** Adds the routes that {@code path} may belong to, by its segments after {@code from}. */
        void collect(String path, int from, List<Route> found) {
            found.addAll(wildcards);
            int start = from;
            while (start < path.length() && path.charAt(start) == '/') {
                start++;
            }
            if (start == path.length()) {
                found.addAll(ending);
                return;
            }
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            var literal = children.get(path.substring(start, end));
            if (literal != null) {
                literal.collect(path, end, found);
            }
            if (parameter != null) {
                parameter.collect(path, end, found);
            }
        }
    }
}
