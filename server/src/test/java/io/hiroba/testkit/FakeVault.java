package io.hiroba.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hiroba.platform.db.Db;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A HashiCorp Vault as its documentation describes it: tokens with a time to live and a longest time, AppRoles, the key-value engine of
 * version 2, and a database engine that really creates and drops roles and changes passwords. Leases end with their tokens. Times are
 * whole seconds, as there.
 */
public final class FakeVault implements AutoCloseable {

    public static final String ROOT = "s.root";
    private static final JsonMapper JSON = JsonMapper.shared();

    /** A token or lease: when it ends, and the latest time that it may be renewed to. */
    private static final class Loan {
        private final String token;
        private final String user;
        private final Duration ttl;
        private final long limit;
        private volatile long end;

        private Loan(String token, String user, Duration ttl, Duration max) {
            this.token = token;
            this.user = user;
            this.ttl = ttl;
            this.limit = System.nanoTime() + max.toNanos();
            renew();
        }

        private void renew() {
            end = Math.min(System.nanoTime() + ttl.toNanos(), limit);
        }

        private long seconds() {
            return Math.max(
                    0, Duration.ofNanos(end - System.nanoTime() + 500_000_000).toSeconds());
        }

        private boolean isOver() {
            return end - System.nanoTime() <= 0;
        }
    }

    /** A role whose password is changed. */
    private record StaticRole(String user, String password) {}

    /** Answers refused for this reason, with Vault's own words. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int status;

        private Refusal(int status, String words) {
            super(words);
            this.status = status;
        }
    }

    private final HttpServer server;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("vault").factory());
    private final Db db;
    private final Map<String, Loan> tokens = new ConcurrentHashMap<>();
    private final Map<String, Loan> leases = new ConcurrentHashMap<>();
    private final Map<String, StaticRole> statics = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** The statements that make a role, by its name in Vault, with Vault's placeholders. */
    public final Map<String, String> creation = new ConcurrentHashMap<>();

    /** The secrets of the key-value engine by their paths. */
    public final Map<String, Map<String, Object>> secrets = new ConcurrentHashMap<>();

    /** The requests: method, path and namespace. */
    public final List<String> requests = new CopyOnWriteArrayList<>();

    /** The roles that were made. */
    public final List<String> users = new CopyOnWriteArrayList<>();

    public volatile Duration tokenTtl = Duration.ofHours(1);
    public volatile Duration tokenMax = Duration.ofHours(1);
    public volatile Duration leaseTtl = Duration.ofHours(1);
    public volatile Duration leaseMax = Duration.ofHours(24);

    /** Sealed: whatever is asked is answered with 503. */
    public volatile boolean sealed;

    /** @param db a superuser's connections */
    public FakeVault(Db db) {
        this.db = db;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/", this::handle);
        server.start();
        clock.scheduleWithFixedDelay(this::expire, 100, 100, TimeUnit.MILLISECONDS);
    }

    public Map<String, String> environment(String... more) {
        var variables = new HashMap<>(Map.of(
                "VAULT_ADDR",
                "http://127.0.0.1:%d/".formatted(server.getAddress().getPort())));
        for (int n = 0; n < more.length; n += 2) {
            variables.put(more[n], more[n + 1]);
        }
        return variables;
    }

    /** The variables of a program that logs in as an AppRole. */
    public Map<String, String> approle() {
        return environment("VAULT_ROLE_ID", "role", "VAULT_SECRET_ID", "id");
    }

    /** The leases that have not ended. */
    public int leases() {
        return leases.size();
    }

    /** The tokens that have not ended, without the root's. */
    public int tokens() {
        return tokens.size();
    }

    /** Ends all leases, as {@code vault lease revoke -prefix} does. */
    public void revokeAll() {
        List.copyOf(leases.keySet()).forEach(this::revokeLease);
    }

    private void expire() {
        tokens.entrySet().stream()
                .filter(token -> token.getValue().isOver())
                .map(Map.Entry::getKey)
                .toList()
                .forEach(this::revokeToken);
        leases.entrySet().stream()
                .filter(lease -> lease.getValue().isOver())
                .map(Map.Entry::getKey)
                .toList()
                .forEach(this::revokeLease);
    }

    private void revokeToken(String token) {
        tokens.remove(token);
        leases.entrySet().stream()
                .filter(lease -> lease.getValue().token.equals(token))
                .map(Map.Entry::getKey)
                .toList()
                .forEach(this::revokeLease);
    }

    private void revokeLease(String id) {
        var lease = leases.remove(id);
        if (lease != null) {
            sql("DROP ROLE IF EXISTS \"%s\"".formatted(lease.user));
        }
    }

    private void sql(String statements) {
        db.useTransaction(tx -> {
            for (var statement : statements.split(";")) {
                tx.update(statement).execute();
            }
        });
    }

    /** Changes the password of a static role, as Vault does at the end of its period. */
    public void rotate(String role, String user) {
        var password = "p-" + count.incrementAndGet();
        sql("ALTER ROLE \"%s\" PASSWORD '%s'".formatted(user, password));
        statics.put(role, new StaticRole(user, password));
    }

    private void handle(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath().substring("/v1/".length());
        requests.add(exchange.getRequestMethod() + " " + path + " "
                + exchange.getRequestHeaders().getFirst("X-Vault-Namespace"));
        var text = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        var body = text.isEmpty() ? JSON.createObjectNode() : JSON.readTree(text);
        try {
            if (sealed) {
                throw new Refusal(503, "Vault is sealed");
            }
            var token = exchange.getRequestHeaders().getFirst("X-Vault-Token");
            send(exchange, 200, answer(exchange.getRequestMethod() + " " + path, token, body));
        } catch (Refusal e) {
            send(exchange, e.status, Map.of("errors", List.of(String.valueOf(e.getMessage()))));
        }
    }

    private static void send(HttpExchange exchange, int status, Map<String, ?> json) throws IOException {
        try (exchange) {
            var body = JSON.writeValueAsBytes(json);
            boolean none = status == 200 && json.isEmpty();
            exchange.sendResponseHeaders(none ? 204 : status, none ? -1 : body.length);
            if (!none) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Map<String, ?> answer(String request, @Nullable String token, JsonNode body) {
        if (request.equals("POST auth/approle/login")) {
            if (!body.path("role_id").asString("").equals("role")
                    || !body.path("secret_id").asString("").equals("id")) {
                throw new Refusal(400, "invalid role or secret ID");
            }
            var made = "s.token" + count.incrementAndGet();
            tokens.put(made, new Loan("", "", tokenTtl, tokenMax));
            return auth(made);
        }
        if (token == null || (!token.equals(ROOT) && !tokens.containsKey(token))) {
            throw new Refusal(403, "permission denied");
        }
        var last = request.substring(request.lastIndexOf('/') + 1);
        if (request.startsWith("GET secret/data/")) {
            return secret(request.substring("GET secret/data/".length()));
        } else if (request.startsWith("GET database/creds/")) {
            return create(last, token);
        } else if (request.startsWith("GET database/static-creds/")) {
            return staticRole(last);
        }
        return switch (request) {
            case "GET auth/token/lookup-self" -> {
                var own = tokens.get(token);
                yield Map.of("data", Map.of("ttl", own == null ? 0 : own.seconds(), "renewable", own != null));
            }
            case "POST auth/token/renew-self" -> {
                var own = tokens.get(token);
                if (own == null) {
                    throw new Refusal(400, "lease is not renewable");
                }
                own.renew();
                yield auth(token);
            }
            case "POST auth/token/revoke-self" -> {
                revokeToken(token);
                yield Map.of();
            }
            case "POST sys/leases/renew" -> {
                var id = body.path("lease_id").asString("");
                var lease = leases.get(id);
                if (lease == null) {
                    throw new Refusal(400, "lease not found");
                }
                lease.renew();
                yield Map.of("lease_id", id, "lease_duration", lease.seconds(), "renewable", true);
            }
            case "POST sys/leases/revoke" -> {
                revokeLease(body.path("lease_id").asString(""));
                yield Map.of();
            }
            default -> throw new Refusal(404, "no handler for route");
        };
    }

    private Map<String, ?> auth(String token) {
        return Map.of(
                "auth",
                Map.of(
                        "client_token",
                        token,
                        "lease_duration",
                        tokens.get(token).seconds(),
                        "renewable",
                        true));
    }

    private Map<String, ?> secret(String path) {
        var values = secrets.get(path);
        if (values == null) {
            throw new Refusal(404, "");
        }
        return Map.of("data", Map.of("data", values, "metadata", Map.of("version", 2)));
    }

    private Map<String, ?> create(String role, String token) {
        var statements = creation.get(role);
        if (statements == null) {
            throw new Refusal(400, "unknown role: " + role);
        }
        var user = "v-approle-%s-%d-%d".formatted(role, ProcessHandle.current().pid(), System.nanoTime());
        var password = "p-" + user;
        var lease = new Loan(token, user, leaseTtl, leaseMax);
        sql(statements.replace("{{name}}", user).replace("{{password}}", password));
        var id = "database/creds/%s/%d".formatted(role, count.incrementAndGet());
        leases.put(id, lease);
        users.add(user);
        return Map.of(
                "lease_id",
                id,
                "lease_duration",
                lease.seconds(),
                "renewable",
                true,
                "data",
                Map.of("username", user, "password", password));
    }

    private Map<String, ?> staticRole(String name) {
        var role = statics.get(name);
        if (role == null) {
            throw new Refusal(400, "unknown role: " + name);
        }
        return Map.of(
                "data",
                Map.of("username", role.user(), "password", role.password(), "ttl", 3600, "rotation_period", 86400));
    }

    @Override
    public void close() {
        server.stop(0);
        clock.shutdownNow();
        revokeAll();
    }
}
