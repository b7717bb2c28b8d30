package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.App;
import io.hiroba.AppConfig;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.platform.vault.VaultCredentials.Login;
import io.hiroba.testkit.FakeVault;
import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins of the database that Vault lends and changes, against a server that behaves as Vault does and a real PostgreSQL. */
class VaultCredentialsTest {

    private static final TestDatabase database = TestDatabase.create();
    private static final String MAKE = "CREATE ROLE \"{{name}}\" LOGIN PASSWORD '{{password}}' IN ROLE %1$s";

    private FakeVault vault;

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void start() {
        vault = new FakeVault(database.db());
        vault.creation.put("app", lasting("hiroba_app"));
        vault.creation.put("owner", lasting("hiroba_owner"));
    }

    /** What the role makes belongs to the role that it stands for. */
    private static String lasting(String role) {
        return (MAKE + "; ALTER ROLE \"{{name}}\" SET role = '%1$s'").formatted(role);
    }

    @AfterEach
    void stop() {
        vault.close();
    }

    private static DatabaseConfig config(String credentials, String owner) {
        return ConfigLoader.of(AppConfig.class)
                .environment(Map.of())
                .arguments(List.of(
                        "--database.url=" + database.config().url(),
                        "--database.credentials=" + credentials,
                        "--database.owner.credentials=" + owner))
                .load()
                .value()
                .database()
                .withPoolSize(2);
    }

    private static String user(Db db) {
        return db.read(reads -> reads.query("SELECT CAST(session_user AS text)")
                .mapTo(String.class)
                .one());
    }

    /** The number of the role that is connected, which has no name any more once Vault has dropped it. */
    private static String role(Db db) {
        return db.read(reads -> reads.query("""
                        SELECT CAST(usesysid AS text) FROM pg_stat_activity
                        WHERE pid = pg_backend_pid() AND (SELECT count(*) FROM accounts.users) >= 0
                        """).mapTo(String.class).one());
    }

    private static boolean exists(String role) {
        return database.db()
                        .read(reads -> reads.query("SELECT count(*) FROM pg_roles WHERE rolname = :role")
                                .bind("role", role)
                                .mapTo(Long.class)
                                .one())
                > 0;
    }

    private static int get(String url) {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    /** Leases of two seconds that may be renewed for three, of tokens of two that may be renewed for five. */
    private void hasten() {
        vault.leaseTtl = Duration.ofSeconds(2);
        vault.leaseMax = Duration.ofSeconds(3);
        vault.tokenTtl = Duration.ofSeconds(2);
        vault.tokenMax = Duration.ofSeconds(5);
    }

    @Test
    void aLoginIsRenewedAndReplacedWhileAllRequestsSucceed() throws Exception {
        hasten();
        var config = config("vault:database/creds/app", "");
        Set<String> seen = ConcurrentHashMap.newKeySet();
        var failures = new CopyOnWriteArrayList<Throwable>();
        try (var _ = config.keepCredentials(vault.approle());
                var db = Db.open(config)) {
            var slow = Thread.ofVirtual().start(() -> {
                try {
                    // Longer than the lease that it began with.
                    db.useTransaction(tx -> tx.query("SELECT CAST(pg_sleep(4) AS text), count(*) FROM accounts.users")
                            .map(row -> row.getLong(2))
                            .one());
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            });
            await().pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        try {
                            seen.add(role(db));
                        } catch (RuntimeException e) {
                            failures.add(e);
                        }
                        return !slow.isAlive() && seen.size() > 3;
                    });
            assertThat(failures).isEmpty();
            assertThat(config.credentials().state().left()).isPresent();
        }
        assertThat(vault.requests.stream().map(request -> request.split(" ", -1)[1]))
                .contains("sys/leases/renew", "auth/token/renew-self", "sys/leases/revoke", "auth/token/revoke-self");
        assertThat(vault.users).hasSizeGreaterThanOrEqualTo(seen.size());
        await().untilAsserted(() -> assertThat(vault.users).noneMatch(VaultCredentialsTest::exists));
        await().until(() -> vault.leases() + vault.tokens() == 0);
    }

    @Test
    void whileVaultIsSealedWorkGoesOnWithTheLeaseAndIsToldUntilItIsBack() throws Exception {
        vault.leaseTtl = Duration.ofSeconds(3);
        var config = config("vault:database/creds/app", "");
        try (var _ = config.keepCredentials(vault.approle());
                var db = Db.open(config)) {
            var first = user(db);
            assertThat(config.credentials().state().failingFor()).isEmpty();
            vault.sealed = true;
            await().until(() -> config.credentials().state().failingFor().isPresent());
            assertThat(user(db)).isEqualTo(first);
            vault.sealed = false;
            await().until(() -> config.credentials().state().failingFor().isEmpty());
            assertThat(user(db)).isNotEmpty();
        }
    }

    @Test
    void aVaultThatGivesNoLoginIsAskedNoMoreOftenThanTheLeaseSays() {
        vault.tokenTtl = Duration.ofSeconds(1);
        vault.tokenMax = Duration.ofSeconds(1);
        var config = config("vault:database/creds/app", "");
        try (var _ = config.keepCredentials(vault.approle())) {
            vault.creation.remove("app");
            // The lease ends with its token, in whose place there is another one soon.
            await().until(() -> config.credentials().state().failingFor().isPresent());
            await().during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> vault.requests.stream()
                                    .filter(request -> request.startsWith("GET database/creds/app"))
                                    .count()
                            == 2);
        }
    }

    @Test
    void aPasswordThatVaultChangesIsTakenByTheNextConnection() throws Exception {
        database.db()
                .useTransaction(tx ->
                        tx.update("CREATE ROLE steady LOGIN IN ROLE hiroba_app").execute());
        try {
            vault.rotate("app", "steady");
            var config = config("vault:database/static-creds/app", "");
            try (var _ = config.keepCredentials(vault.environment("VAULT_TOKEN", FakeVault.ROOT));
                    var before = Db.connect(config);
                    var db = Db.open(config)) {
                assertThat(user(db)).isEqualTo("steady");
                vault.rotate("app", "steady");
                try (var after = Db.connect(config)) {
                    assertThat(after.isValid(1)).isTrue();
                }
                assertThat(before.isValid(1)).as("who is connected stays").isTrue();
                assertThat(user(db)).isEqualTo("steady");
            }
            var password = "p-of-a-secret";
            database.db()
                    .useTransaction(tx -> tx.update("ALTER ROLE steady PASSWORD '" + password + "'")
                            .execute());
            vault.secrets.put("hiroba", Map.of("username", "steady", "password", password));
            var secret = config("vault:secret/hiroba", "");
            try (var _ = secret.keepCredentials(vault.environment("VAULT_TOKEN", FakeVault.ROOT));
                    var connection = Db.connect(secret)) {
                assertThat(connection.isValid(1)).isTrue();
                vault.secrets.put("hiroba", Map.of("username", "steady", "password", "p-of-the-next"));
                assertThat(secret.credentials().isReplaced(new Login("steady", password)))
                        .isTrue();
                try (var before = Db.connect(secret)) {
                    assertThat(before.isValid(1))
                            .as("the secret is changed, and the role not yet")
                            .isTrue();
                }
                database.db()
                        .useTransaction(tx -> tx.update("ALTER ROLE steady PASSWORD 'p-of-the-next'")
                                .execute());
                try (var after = Db.connect(secret)) {
                    assertThat(after.isValid(1)).isTrue();
                }
            }
        } finally {
            database.db().useTransaction(tx -> tx.update("DROP ROLE steady").execute());
        }
    }

    @Test
    void aLeaseThatIsRevokedInVaultIsReplacedWhenItIsNoticed() throws Exception {
        var config = config("vault:database/creds/app", "");
        try (var _ = config.keepCredentials(vault.approle());
                var db = Db.open(config)) {
            var first = user(db);
            vault.revokeAll();
            try (var connection = Db.connect(config)) {
                assertThat(connection.isValid(1)).isTrue();
            }
            await().until(() -> !user(db).equals(first));
        }
    }

    @Test
    void credentialsThatCannotBeHadOrMustNotOwnAnythingAreRefusedInASentence() {
        refuse("vault:database/creds/app", Map.of("VAULT_TOKEN", "wrong"), "Vault answered 403");
        refuse("vault:database/creds/other", Map.of("VAULT_TOKEN", FakeVault.ROOT), "Vault answered 400");
        vault.secrets.put("hiroba", Map.of("password", "hunter2"));
        refuse("vault:secret/hiroba", Map.of("VAULT_TOKEN", FakeVault.ROOT), "no texts username and password");
        assertThatThrownBy(() -> config("vault:database", "")).hasMessageContaining("is not like vault:database/creds");
        assertThatThrownBy(() -> config("vault:database/../sys", "")).hasMessageContaining("is not like");
        vault.creation.put("owner", MAKE.formatted("hiroba_owner"));
        var config = config("vault:database/creds/app", "vault:database/creds/owner");
        try (var _ = config.keepCredentials(vault.approle())) {
            assertThatThrownBy(() -> DatabaseCheck.pass(config))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessageContaining("would own what is migrated");
        }
        assertThat(vault.leases()).isZero();
    }

    private void refuse(String credentials, Map<String, String> variables, String reason) {
        var environment = vault.environment();
        environment.putAll(variables);
        assertThatThrownBy(() -> config(credentials, "").keepCredentials(environment))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aNodeServesWithBothLoginsOfVaultAndGivesThemBack(@TempDir Path folder) {
        hasten();
        var loaded = ConfigLoader.of(AppConfig.class)
                .environment(vault.approle())
                .arguments(List.of(
                        "--data=" + folder,
                        "--http.port=0",
                        "--http.metrics-token=metrics",
                        "--grpc.enabled=false",
                        "--database.url=" + database.config().url(),
                        "--database.credentials=vault:database/creds/app",
                        "--database.owner.credentials=vault:database/creds/owner",
                        "--accounts.hashing.memory-kib=8",
                        "--admin.email=admin@square.example",
                        "--admin.password=a long password"))
                .load();
        try (var app = App.start(loaded, Clock.systemUTC(), step -> {})) {
            var made = vault.users.size();
            await().pollInterval(Duration.ofMillis(50))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        assertThat(get(app.address() + "/readyz")).isEqualTo(200);
                        return vault.users.size() > made + 2;
                    });
            assertThat(metrics(app))
                    .contains("hiroba_database_credentials_left_seconds{credentials=\"vault:database/creds/app\"}");
        }
        await().until(() -> vault.leases() + vault.tokens() == 0);
        assertThat(vault.users).noneMatch(VaultCredentialsTest::exists);
    }

    private static String metrics(App app) {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(app.address() + "/metrics"))
                                    .header("Authorization", "Bearer metrics")
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
