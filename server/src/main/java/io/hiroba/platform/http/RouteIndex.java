package io.hiroba.platform.http;

import io.javalin.config.JavalinState;
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
 * that does. Which of them answers is decided by Javalin's patterns and the order of registration, as without it.
 */
final class RouteIndex extends InternalRouter {

    private final Map<HandlerType, Node> roots = new HashMap<>();
    private int registered;

    private RouteIndex(JavalinState javalin) {
        super(javalin.wsRouter, javalin.eventManager, javalin.router, javalin.jetty);
    }

    /** Takes the place of Javalin's router; to be called before anything is registered. */
    static void install(JavalinState javalin) {
        javalin.internalRouter = new RouteIndex(javalin);
    }

    @Override
    public InternalRouter addHttpEndpoint(Endpoint endpoint) {
        super.addHttpEndpoint(endpoint);
        var parsed = super.findHttpHandlerEntries(endpoint.method, null).getLast();
        roots.computeIfAbsent(endpoint.method, method -> new Node()).add(new Route(registered++, parsed));
        return this;
    }

    @Override
    public List<ParsedEndpoint> findHttpHandlerEntries(HandlerType method, @Nullable String path) {
        return path == null
                ? super.findHttpHandlerEntries(method, null)
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
        var root = roots.get(method);
        if (root == null) {
            return Stream.empty();
        }
        var candidates = new ArrayList<Route>();
        root.collect(path, 0, candidates);
        if (candidates.size() > 1) {
            candidates.sort(Comparator.comparingInt(Route::order));
        }
        return candidates.stream().map(Route::endpoint).filter(endpoint -> matches(endpoint, path));
    }

    private static boolean matches(ParsedEndpoint endpoint, String path) {
        var registered = endpoint.endpoint.path;
        return registered.equals("*") || registered.equals(path) || endpoint.matches(path);
    }

    private record Route(int order, ParsedEndpoint endpoint) {}

    /** The routes whose paths begin alike, up to a segment. */
    private static final class Node {

        private final Map<String, Node> children = new HashMap<>();
        private @Nullable Node parameter;
        private final List<Route> ending = new ArrayList<>();
        private final List<Route> wildcards = new ArrayList<>();

        void add(Route route) {
            var node = this;
            for (var segment : route.endpoint().endpoint.path.split("/", -1)) {
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
