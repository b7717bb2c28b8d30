package io.hiroba.agents.remote;

import static io.hiroba.testkit.FakeToolServer.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.remote.ToolServer.Connection;
import io.hiroba.agents.remote.ToolServer.JudgedEffect;
import io.hiroba.agents.remote.ToolServers.ServerSettings;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.testkit.FakeAuthorizationServer;
import io.hiroba.testkit.FakeToolServer;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestPlatform;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers of tools that are connected by OAuth, at an authorization server that is strict. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ToolServerConnectionsTest {

    private static final String BACK = "https://square.example/admin/tool-servers/oauth/callback";

    private final TestAccounts accounts = new TestAccounts();
    private final UserId user = accounts.user("Admin");
    private final Caller admin = session(user, 7);
    private final SettableClock clock = new SettableClock(Instant.parse("2026-05-01T10:00:00Z"));
    private final RemoteServers node = on(new ToolServersConfig(true, Duration.ofSeconds(5)));
    private final RemoteServers other = on(new ToolServersConfig(true, Duration.ofSeconds(5)));
    private FakeToolServer fake = new FakeToolServer();
    private FakeAuthorizationServer authorization = new FakeAuthorizationServer(fake);
    private int count;
    private long id;
    private String name = "";

    private RemoteServers on(ToolServersConfig config) {
        return new RemoteServers(
                accounts.db,
                accounts.lease.ids(),
                clock,
                TestPlatform.encryption(accounts.db),
                accounts.module.audit(),
                config);
    }

    private static Caller session(UserId user, long id) {
        return new Caller(user, true, new Caller.BySession(new SessionId(id)), null);
    }

    @BeforeEach
    void open() {
        closeFakes();
        fake = new FakeToolServer();
        authorization = new FakeAuthorizationServer(fake);
        fake.tools.add(tool("weather", "Tells the weather"));
        fake.tokens.add("none yet");
        fake.challenge =
                "Bearer resource_metadata=\"%s/metadata\", scope=\"tools:read tools:call\"".formatted(fake.origin());
        fake.documents.put("/metadata", metadata(fake.url()));
        name = "oauth" + ++count;
        id = node.servers()
                .add(admin, name, new ServerSettings(fake.url(), null, null, null))
                .server()
                .id();
    }

    private String metadata(String resource) {
        return "{\"resource\":\"%s\",\"authorization_servers\":[\"%s\"],\"scopes_supported\":[\"all\"]}"
                .formatted(resource, authorization.url());
    }

    private void closeFakes() {
        fake.close();
        authorization.close();
    }

    @AfterAll
    void close() {
        closeFakes();
        node.close();
        other.close();
        accounts.close();
    }

    private ToolServerConnections.BegunConnection begin() throws InterruptedException {
        return node.connections().begin(admin, id, "", "", BACK);
    }

    private void connect() throws InterruptedException {
        var finished = node.connections().finish(admin, authorization.approve(begin().location()));
        assertThat(finished.refusal()).isNull();
        assertThat(finished.server()).isEqualTo(id);
    }

    private @Nullable Connection connection() {
        return node.servers().get(admin, id).server().connection();
    }

    private String allowed(RemoteServers on) throws InterruptedException {
        on.servers().refresh(admin, id);
        var listed = on.servers().get(admin, id).tools().getFirst();
        on.servers()
                .allow(
                        admin,
                        id,
                        listed.name(),
                        JudgedEffect.READS,
                        listed.definition().digest());
        return listed.name();
    }

    private static void assertRefused(ThrowingCallable act, String code) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    /** The key of the reason, and the code that the other server gave. */
    private static String reason(Problem problem) {
        assertThat(problem.code()).isEqualTo("agents.tool-server-not-connected");
        var arguments = problem.detail().arguments();
        return arguments.get("reason") instanceof Text reason ? reason.key() + " " + arguments.get("code") : "";
    }

    @Test
    void anAdminConnectsAServerAndItsToolsAreUsedWithTheToken() throws InterruptedException {
        node.servers().update(admin, id, new ServerSettings(null, null, null, "pasted"));
        var begun = begin();
        assertThat(begun.issuer()).isEqualTo(authorization.url());
        assertThat(begun.resource()).isEqualTo(fake.url());
        var asked =
                FakeAuthorizationServer.parameters(URI.create(begun.location()).getRawQuery());
        assertThat(asked)
                .containsEntry("tenant", "1")
                .containsEntry("response_type", "code")
                .containsEntry("redirect_uri", BACK)
                .containsEntry("scope", "tools:read tools:call")
                .containsEntry("resource", fake.url())
                .containsEntry("code_challenge_method", "S256");
        var finished = node.connections().finish(admin, authorization.approve(begun.location()));
        assertThat(finished.refusal()).isNull();
        var connection = Objects.requireNonNull(connection());
        assertThat(connection.issuer()).isEqualTo(authorization.url());
        assertThat(connection.scope()).isEqualTo("tools:read tools:call");
        assertThat(connection.expired()).isFalse();
        assertThat(node.servers().get(admin, id).server().header())
                .as("a token that was pasted is of no use any more")
                .isNull();
        assertThat(node.tools().call(allowed(node), "{}").text()).isEqualTo("Sunny");
        assertThat(stored()).doesNotContain("access-", "refresh-", "s3cret");
    }

    /** All that the database has of connections, as text. */
    private String stored() {
        return accounts.db.read(reads -> reads.query(
                        "SELECT CAST(c AS text) AS line, secret FROM agents.tool_server_connections c")
                .map(row -> row.getString("line") + new String(row.getBytes("secret"), StandardCharsets.ISO_8859_1))
                .list()
                .toString());
    }

    @Test
    void metadataAreFoundWhereTheyUsuallyAre() throws InterruptedException {
        fake.challenge = "Bearer";
        fake.documents.put("/.well-known/oauth-protected-resource/mcp", metadata(fake.url()));
        assertThat(FakeAuthorizationServer.parameters(
                        URI.create(begin().location()).getRawQuery()))
                .containsEntry("scope", "all");
        connect();
        assertThat(node.servers().refresh(admin, id).tools()).hasSize(1);
    }

    @Test
    void aTokenIsRefreshedBeforeItsEndAndEachRefreshTokenIsUsedOnce() throws InterruptedException {
        connect();
        var weather = allowed(node);
        for (int round = 1; round <= 3; round++) {
            clock.advance(Duration.ofMinutes(59).plusSeconds(1));
            assertThat(node.tools().call(weather, "{}").failed()).isFalse();
            assertThat(authorization.refreshes.get()).isEqualTo(round);
        }
        assertThat(other.tools().call(weather, "{}").failed())
                .as("another node")
                .isFalse();
        assertThat(authorization.refreshes.get()).isEqualTo(3);
    }

    @Test
    void aTokenThatIsRefusedIsRefreshedOnceAndTheListIsAskedForAgain() throws InterruptedException {
        connect();
        var weather = allowed(node);
        fake.tokens.clear();
        fake.tokens.add("another");
        assertThat(node.tools().call(weather, "{}").text()).isEqualTo("Sunny");
        assertThat(authorization.refreshes.get()).isEqualTo(1);
        assertThat(fake.calls).as("a call is made once").hasSize(1);
    }

    @Test
    void twoNodesThatRefreshAtOnceUseOneRefreshToken() throws Exception {
        connect();
        var weather = allowed(node);
        authorization.delay = 300;
        clock.advance(Duration.ofHours(2));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = Stream.of(node, other, node, other, node, other)
                    .<Callable<RemoteTools.RemoteAnswer>>map(
                            on -> () -> on.tools().call(weather, "{}"))
                    .toList();
            for (var call : threads.invokeAll(calls)) {
                assertThat(call.get().failed()).as(call.get().text()).isFalse();
            }
        }
        assertThat(authorization.refreshes.get()).isEqualTo(1);
        assertThat(authorization.refreshTokens).hasSize(1);
    }

    @Test
    void aRefreshGoesOnWhenTheRunThatWantsItIsStopped() throws Exception {
        connect();
        var weather = allowed(node);
        authorization.delay = 500;
        clock.advance(Duration.ofHours(2));
        var run = Thread.ofVirtual().start(() -> {
            try {
                node.tools().call(weather, "{}");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> authorization.refreshes.get() == 1);
        run.interrupt();
        run.join();
        authorization.delay = 0;
        assertThat(node.tools().call(weather, "{}").failed()).isFalse();
        assertThat(authorization.refreshes.get()).isEqualTo(1);
    }

    @Test
    void aRefusedRefreshEndsTheConnectionUntilItIsMadeAgain() throws InterruptedException {
        connect();
        var weather = allowed(node);
        authorization.tokenStatus = 503;
        clock.advance(Duration.ofHours(2));
        assertThat(node.tools().call(weather, "{}").failed())
                .as("the server still takes the token")
                .isFalse();
        assertThat(Objects.requireNonNull(connection()).expired()).isFalse();
        authorization.tokenStatus = 200;
        authorization.refreshTokens.clear();
        assertThat(node.tools().call(weather, "{}").text())
                .isEqualTo("It was not done: the server cannot be used, an admin has to connect it again.");
        assertThat(Objects.requireNonNull(connection()).expired()).isTrue();
        assertThat(authorization.refreshes.get()).isEqualTo(1);
        other.tools().call(weather, "{}");
        assertThat(authorization.refreshes.get()).as("nobody tries again").isEqualTo(1);
        assertRefused(() -> node.servers().refresh(admin, id), "agents.tool-server-failed");
        connect();
        assertThat(Objects.requireNonNull(connection()).expired()).isFalse();
        assertThat(node.tools().call(weather, "{}").failed()).isFalse();
    }

    @Test
    void aDisconnectedServerHasNoTokensAndTheyAreRevoked() throws InterruptedException {
        connect();
        node.connections().end(admin, id);
        assertThat(connection()).isNull();
        assertThat(authorization.revoked).containsExactlyElementsOf(authorization.refreshTokens);
        assertRefused(() -> node.servers().refresh(admin, id), "agents.tool-server-failed");
        node.connections().end(admin, id);
        assertThat(authorization.revoked).hasSize(1);
    }

    @Test
    void anotherAddressAndACredentialEndAConnection() throws InterruptedException {
        connect();
        node.servers().update(admin, id, new ServerSettings(fake.url() + "/v2", null, null, null));
        assertThat(connection()).isNull();
        node.servers().update(admin, id, new ServerSettings(fake.url(), null, null, null));
        connect();
        node.servers().update(admin, id, new ServerSettings(null, null, null, "pasted"));
        assertThat(connection()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "issuer, https://other.example, other-issuer",
        "token_endpoint, ftp://other.example/token, authorization-server",
        "authorization_endpoint, javascript:alert(1), authorization-server",
        "code_challenge_methods_supported, plain, no-pkce",
        "registration_endpoint, '', no-registration",
        "token_endpoint_auth_methods_supported, private_key_jwt, no-registration",
    })
    void anAuthorizationServerThatCannotBeTrustedIsRefused(String key, String value, String reason) {
        authorization.metadata.put(key, key.endsWith("supported") ? List.of(value) : value);
        assertThatThrownBy(this::begin)
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(reason(problem)).startsWith("agents.server-failure." + reason + " "));
    }

    @ParameterizedTest
    @CsvSource({"https://bank.example/mcp", "%s/other", "%s/mc", "''"})
    void metadataOfAnotherResourceAreRefused(String resource) {
        fake.documents.put("/metadata", metadata(resource.formatted(fake.origin())));
        assertThatThrownBy(this::begin)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(reason(problem)).contains("other-resource"));
    }

    @Test
    void aServerThatAsksForNothingIsNotConnected() {
        fake.tokens.clear();
        assertThatThrownBy(this::begin)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(reason(problem)).contains("no-authorization"));
    }

    @Test
    void addressesInsideAreNotAskedWhereTheyAreNotAllowed() {
        try (var strict = on(new ToolServersConfig(false, Duration.ofSeconds(2)))) {
            assertThatThrownBy(() -> strict.connections().begin(admin, id, "", "", BACK))
                    .isInstanceOf(Problem.class);
            assertThat(fake.asked()).isEmpty();
        }
    }

    @Test
    void anAnswerCountsOnceInTheSessionThatBeganIt() throws InterruptedException {
        var answer = authorization.approve(begin().location());
        var expired = "agents.tool-server-connection-expired";
        assertRefused(() -> node.connections().finish(session(user, 8), answer), expired);
        assertRefused(() -> node.connections().finish(session(accounts.user("Second"), 7), answer), expired);
        assertRefused(() -> node.connections().finish(admin, Map.of("code", answer.get("code"))), expired);
        assertThat(node.connections().finish(admin, answer).refusal()).isNull();
        assertRefused(() -> node.connections().finish(admin, answer), expired);
        var late = authorization.approve(begin().location());
        clock.advance(Duration.ofMinutes(16));
        assertRefused(() -> node.connections().finish(admin, late), expired);
    }

    @Test
    void aRefusalIsToldWithItsCode() throws InterruptedException {
        var answer = new HashMap<>(authorization.approve(begin().location()));
        answer.remove("code");
        answer.put("error", List.of("access_denied"));
        var refusal =
                Objects.requireNonNull(node.connections().finish(admin, answer).refusal());
        assertThat(reason(refusal)).contains("not-authorized").endsWith("access_denied");
        assertThat(connection()).isNull();
    }

    @Test
    void theAnswerOfAnotherServerIsRefused() throws InterruptedException {
        for (var issuer : List.of(List.of("https://other.example"), List.<String>of())) {
            var answer = new HashMap<>(authorization.approve(begin().location()));
            answer.put("iss", issuer);
            var refusal = Objects.requireNonNull(
                    node.connections().finish(admin, answer).refusal());
            assertThat(reason(refusal)).contains("other-issuer");
        }
        assertThat(authorization.asked()).noneMatch(asked -> asked.path().equals("/token"));
    }

    @Test
    void onlyAdminsConnectInASession() {
        var ann = accounts.caller(accounts.user("Ann"));
        assertRefused(() -> node.connections().begin(ann, id, "", "", BACK), "accounts.admin-only");
        assertRefused(() -> node.connections().finish(ann, Map.of()), "accounts.admin-only");
        assertRefused(() -> node.connections().end(ann, id), "accounts.admin-only");
        assertRefused(
                () -> node.connections().begin(Caller.server(user), id, "", "", BACK),
                "agents.tool-server-connection-expired");
    }
}
