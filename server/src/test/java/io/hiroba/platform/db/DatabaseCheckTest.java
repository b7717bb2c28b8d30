package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.App;
import io.hiroba.testkit.InstalledProgram;
import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseCheckTest {

    private static final TestDatabase database = TestDatabase.create();

    @AfterAll
    static void drop() {
        database.close();
    }

    private static void assertRefused(String url, String user, String password, String sentence) {
        assertThatThrownBy(() -> DatabaseCheck.pass(DatabaseConfig.of(url, user, password)))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining(sentence)
                .satisfies(e -> assertThat(String.valueOf(e.getMessage()))
                        .doesNotContain("\n")
                        .doesNotContain("hunter2"));
    }

    @Test
    void aGoodDatabasePassesInEitherSpelling() {
        var config = database.config();
        assertThat(DatabaseCheck.pass(config).url()).isEqualTo(config.url());
        var plain = config.url()
                .replaceFirst("jdbc:postgresql://", "postgresql://" + config.user() + ":" + config.password() + "@");
        var passed = DatabaseCheck.pass(DatabaseConfig.of(plain, "", ""));
        assertThat(passed.url()).startsWith("jdbc:postgresql://127.0.0.1:").doesNotContain(config.password());
        assertThat(passed.user()).isEqualTo(config.user());
    }

    @Test
    void aRefusedLoginIsOneSentence() {
        assertRefused(database.config().url(), "hiroba", "hunter2", "refused the login of role `hiroba`");
    }

    @Test
    void aDatabaseThatIsNotThereIsOneSentence() {
        var config = database.config();
        assertRefused(
                config.url().replaceFirst("/hiroba_\\d+", "/nowhere"),
                config.user(),
                config.password(),
                "There is no such database");
    }

    @Test
    void aServerThatDoesNotAnswerIsOneSentence() {
        assertRefused("postgresql://me:hunter2@127.0.0.1:1/db", "", "", "No PostgreSQL answers");
    }

    @Test
    void anAddressThatIsNoneIsOneSentence() {
        assertRefused("mysql://somewhere", "", "", "must be like postgresql://");
        assertRefused("postgresql://me:hun ter@host/db", "", "", "percent-encode");
    }

    @ParameterizedTest
    @EnumSource
    void aPoolerIsRefusedInOneSentence(PoolingProxy.Mode mode) throws IOException {
        var config = database.config();
        try (var proxy = new PoolingProxy(config.url(), mode)) {
            assertRefused(
                    proxy.jdbcUrl(),
                    config.user(),
                    config.password(),
                    mode == PoolingProxy.Mode.TRANSACTION_WITH_OPTIONS
                            ? "shares sessions between connections, as a pooler such as PgBouncer does"
                            : "drops the settings of connections, as a pooler such as PgBouncer does");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"session", "transaction", "statement"})
    void theRealPgBouncerIsRefusedAsWell(String mode, @TempDir Path folder) throws Exception {
        var program = InstalledProgram.require("pgbouncer", "pgbouncer");
        var config = database.config();
        var port = InstalledProgram.freePort();
        // It does not run as root, and reads its file as somebody else.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var target = URI.create(config.url().substring("jdbc:".length()));
        Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                * = host=127.0.0.1 port=%d user=%s password=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = %s
                ignore_startup_parameters = extra_float_digits,options
                """.formatted(
                        target.getPort(), config.user(), config.password(), port, mode));
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        try (var _ = InstalledProgram.start(
                folder, program, isRoot ? List.of("-u", "nobody", "pgbouncer.ini") : List.of("pgbouncer.ini"))) {
            await().until(() -> {
                try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    return socket.isConnected();
                } catch (ConnectException e) {
                    return false;
                }
            });
            assertRefused(
                    "jdbc:postgresql://127.0.0.1:" + port + target.getPath(),
                    config.user(),
                    config.password(),
                    "as a pooler such as PgBouncer does");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"any", "primary", "secondary", "preferSecondary", "preferPrimary"})
    void ofSeveralHostsThePrimaryIsUsedWhicheverIsAskedFor(String target) {
        var config = database.config();
        var port = config.url().replaceFirst(".*:(\\d+)/.*", "$1");
        var several = config.url().replaceFirst("//[^/]+/", "//localhost:1,localhost:" + port + "/");
        var asked = several + (several.contains("?") ? "&" : "?") + "targetServerType=" + target;
        var passed = DatabaseCheck.pass(DatabaseConfig.of(asked, config.user(), config.password()));
        try (var readOnly = Db.open(passed.withPoolSize(2), List.of("default_transaction_read_only=on", "jit=off"))) {
            String mode = readOnly.read(reads -> reads.query("SHOW transaction_read_only")
                    .mapTo(String.class)
                    .one());
            assertThat(mode).isEqualTo("on");
        }
        assertRefused("postgresql://me:hunter2@127.0.0.1:1,127.0.0.1:2/db", "", "", "No primary answers");
    }

    @Test
    void aRoleThatMayNotCreateSchemasIsToldWhatToGrant() throws SQLException {
        try (var empty = TestDatabase.createEmpty()) {
            var config = empty.config();
            asSuperuser("CREATE ROLE modest LOGIN PASSWORD 'hunter2'");
            var modest = DatabaseCheck.pass(DatabaseConfig.of(config.url(), "modest", "hunter2"));
            assertThatThrownBy(() -> Migrations.run(modest, List.of("platform", "accounts")))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessageMatching(
                            "The role may not create schemas: run `GRANT CREATE ON DATABASE \"hiroba_\\d+\" TO"
                                    + " \"modest\"` as the database's owner\\.");
        } finally {
            asSuperuser("DROP ROLE modest");
        }
    }

    @Test
    void aDatabaseOfANewerProgramIsRefusedInOneSentence() {
        database.db().useTransaction(tx -> tx.update("""
                INSERT INTO demo.schema_history
                    (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
                SELECT max(installed_rank) + 1, '902', 'later', 'SQL', 'V902__later.sql', 1, 'somebody', 1, true
                FROM demo.schema_history
                """).execute());
        try {
            assertThatThrownBy(() -> Migrations.run(database.config(), List.of("platform", "demo")))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessage(
                            "The database belongs to a newer Hiroba (its schema `demo` is at version 902): start that one,"
                                    + " or a newer one still.");
        } finally {
            database.db()
                    .useTransaction(tx -> tx.update("DELETE FROM demo.schema_history WHERE version = '902'")
                            .execute());
        }
    }

    @Test
    void aDatabaseThatHasAllScriptsIsNotLookedThroughAgain() throws SQLException {
        try (var clone = TestDatabase.create();
                var connection = Db.connect(clone.superuser());
                var statement = connection.createStatement()) {
            statement.execute("DELETE FROM demo.schema_history");
            Migrations.run(clone.config(), App.SCHEMAS);
            statement.execute("COMMENT ON SCHEMA platform IS 'other scripts'");
            assertThatThrownBy(() -> Migrations.run(clone.config(), App.SCHEMAS))
                    .hasMessageContaining("V001__demo.sql");
        }
    }

    @Test
    void theConnectionsOfANodeAreNoMoreThanItMayHold() {
        for (int size = 9; size <= 1000; size++) {
            var pools = database.config().withPoolSize(size).pools();
            assertThat(pools.requests() + pools.leases() + 2 * pools.queries() + pools.signals() + pools.owner())
                    .isEqualTo(size);
            assertThat(pools.requests()).isGreaterThanOrEqualTo(3);
        }
        assertThatThrownBy(() -> database.config().withPoolSize(8).pools()).hasMessageContaining("at least 9");
    }

    @Test
    void aServerThatIsTooOldIsOneSentence() {
        assertThatThrownBy(() -> DatabaseCheck.requireVersion(15)).hasMessageContaining("needs 16 or newer");
        DatabaseCheck.requireVersion(16);
    }

    @Test
    void aServerWithoutIcuIsOneSentence() throws SQLException {
        try (var connection = connection()) {
            DatabaseCheck.requireIcu(connection);
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("DELETE FROM pg_collation WHERE collprovider = 'i'");
                assertThatThrownBy(() -> DatabaseCheck.requireIcu(connection))
                        .hasMessageContaining("built without ICU")
                        .hasMessageNotContaining("\n");
            }
            connection.rollback();
        }
    }

    @Test
    void indexesOfNamesAreRebuiltOnceWhenIcuHasOtherRules() throws SQLException {
        try (var connection = connection();
                var statement = connection.createStatement()) {
            var before = file(statement);
            statement.execute(
                    "UPDATE pg_collation SET collversion = '1.0' WHERE collnamespace = 'platform'::regnamespace");
            Migrations.run(database.config(), List.of());
            var rebuilt = file(statement);
            assertThat(rebuilt).isNotEqualTo(before);
            Migrations.run(database.config(), List.of());
            assertThat(file(statement)).isEqualTo(rebuilt);
        }
    }

    private static String file(Statement statement) throws SQLException {
        try (var row = statement.executeQuery("SELECT pg_relation_filepath('accounts.idx_users_nickname_order')")) {
            row.next();
            return row.getString(1);
        }
    }

    private static Connection connection() throws SQLException {
        return Db.connect(database.superuser());
    }

    private static void asSuperuser(String sql) throws SQLException {
        try (var connection = connection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
