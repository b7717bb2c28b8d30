package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.App;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedException;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.EmbeddedReport;
import io.hiroba.embedded.MajorUpgrade;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Migrations;
import io.hiroba.platform.i18n.Language;
import io.hiroba.testkit.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Upgrades of the embedded database to another version of PostgreSQL, and the way back. */
@Tag("slow")
class UpgradeCommandTest {

    /** Of those whose migrations need no pgvector, which there is none of for the former version here. */
    private static final List<String> FORMER_FEATURES = List.of("platform", "accounts", "records");

    private static final String ARCHIVE = "the-archive-of-the-former-log";

    private static final String SUFFIX = "aaaaaaaaaaaaa_0000000000000001";

    @TempDir
    private Path places;

    private Path data;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void name() {
        data = places.resolve("data");
    }

    private UpgradeCommand command() {
        var out = new PrintStream(said, true, StandardCharsets.UTF_8);
        var sources = new BackupSources(data, Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
        return new UpgradeCommand(sources, App.SCHEMAS, Language.ENGLISH, out, out);
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    private Path archive() {
        return data.resolve(BackupWriter.INSTANCE_FILE);
    }

    private EmbeddedConfig config() {
        return new EmbeddedConfig(data.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), true);
    }

    private EmbeddedPostgres start() {
        return EmbeddedPostgres.start(config(), step -> {});
    }

    private static Connection connect(EmbeddedPostgres postgres) throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String string(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void migrate(List<String> features, DatabaseConfig owner) {
        features.forEach(feature -> Migrations.of(feature, owner).load().migrate());
    }

    /** Accounts, a project with tables of its own, an index made on demand, and access by SQL. */
    private static void fill(Connection connection) throws SQLException {
        run(connection, """
                INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                SELECT n << 20, n || '@square.example', 'Näme ' || n || E'\\t\\\\', '', false, repeat('語', n % 50)
                FROM generate_series(1, 3000) AS n;
                SELECT setval('platform.event_ids', 4711);
                INSERT INTO records.projects (id, client_id, name) VALUES (1, 1 << 20, 'Shop');
                SET ROLE hiroba_app;
                SELECT records.make_tables('@');
                INSERT INTO records."schemas_@" (schema_id) VALUES (100);
                INSERT INTO records."schema_registry_@" (schema_name, schema_id) VALUES ('product', 100);
                INSERT INTO records."attributes_@" (attr_id, schema_id, attr_name, value_type) VALUES (0, 100, 'name', 'text');
                INSERT INTO records."records_@" (row_id, created_by, updated_by, schema_id, doc)
                SELECT gen_random_uuid(), 1, 1, 100, '["a"]' FROM generate_series(1, 100);
                RESET ROLE;
                SET ROLE hiroba_owner;
                CREATE INDEX on_demand ON records."records_@" ((doc ->> 0), row_id) WHERE schema_id = 100;
                RESET ROLE;
                SELECT records.open_sql_access(1, '@', rolpassword, 'VIEWER', now()) FROM pg_authid WHERE rolname = 'hiroba_app';
                """.replace("@", SUFFIX));
        run(connection, "ALTER SYSTEM SET work_mem = '12MB'");
        run(connection, "ALTER SYSTEM SET shared_preload_libraries = pg_stat_statements, auto_explain");
    }

    /** An extension in a schema of its own, and a role with a list of libraries and with rights that are given by default. */
    private static void addOperatorsOwn(Connection connection) throws SQLException {
        run(connection, """
                CREATE SCHEMA tools;
                CREATE EXTENSION fuzzystrmatch SCHEMA tools;
                CREATE ROLE reporter;
                ALTER ROLE reporter SET session_preload_libraries = auto_explain, pg_stat_statements;
                ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner IN SCHEMA accounts GRANT SELECT ON TABLES TO reporter;
                ALTER DEFAULT PRIVILEGES FOR ROLE reporter REVOKE EXECUTE ON ROUTINES FROM PUBLIC;
                """);
    }

    /** One way through all of it: each of the databases of two versions costs more than what is done with it. */
    @Test
    void aDatabaseOfAnOlderPostgresIsUpgradedAndTakenBackAndStaysAsItWasWhereThatIsRefusedOrKilled() throws Exception {
        var former = new FormerPostgres(data);
        former.start();
        former.giveRoles();
        migrate(FORMER_FEATURES, DatabaseConfig.of(former.jdbcUrl(), "hiroba_owner", "hiroba_owner-secret"));
        try (var connection = former.connect()) {
            fill(connection);
            addOperatorsOwn(connection);
            run(connection, "CREATE FUNCTION accounts.unknown() RETURNS int LANGUAGE sql AS 'SELECT 1'");
        }
        former.stop();
        Files.writeString(archive(), ARCHIVE);

        olderIsRefused(former);
        killedLeavesNothing(former);
        upgrade(former);
        try (var postgres = start();
                var connection = connect(postgres)) {
            assertServes(postgres, connection);
            oneChangedValueIsSeen(new ClusterStore(connection));
            assertOperatorsOwn(connection);
            fillVectors(connection);
            refusedWhileAServerRuns();
        }
        assertThat(command().run(List.of())).isZero();
        assertThat(said()).contains("as it should be");
        stoppedBetweenRenames();

        Files.writeString(archive(), ARCHIVE);
        assertThat(command().run(List.of("--undo"))).isZero();
        assertThat(archive()).doesNotExist();
        assertFormer(former);
        assertThat(command().run(List.of("--finish"))).isZero();
        assertThat(command().run(List.of("--finish"))).isEqualTo(1);
        try (var left = Files.list(data.resolve("postgres"))) {
            assertThat(left.map(each -> each.getFileName().toString()).filter(name -> name.startsWith("data")))
                    .containsExactly("data");
        }
    }

    @Test
    void whatAnInterruptedUpgradeHasLeftCountsAsRoom() throws IOException {
        long gigabyte = 1L << 30;
        var root = config().dataDir();
        reserve(root.resolve("data/rows"), places.toFile().getUsableSpace() + gigabyte);
        assertThat(MajorUpgrade.hasRoom(config())).isFalse();
        reserve(root.resolve("data.upgrade/rows"), 2 * gigabyte);
        assertThat(MajorUpgrade.hasRoom(config())).isTrue();
    }

    /** A file of that size which takes none of the disk. */
    private static void reserve(Path path, long size) throws IOException {
        Files.createDirectories(path.getParent());
        try (var file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(size);
        }
    }

    private void olderIsRefused(FormerPostgres former) throws Exception {
        assertThat(MajorUpgrade.major(config())).contains("16");
        assertThat(EmbeddedReport.inspect(config()).lines())
                .filteredOn(line -> line.state() == EmbeddedReport.State.MISSING)
                .extracting(EmbeddedReport.Line::finding)
                .containsExactly(EmbeddedReport.Finding.OTHER_VERSION);
        assertThatThrownBy(this::start)
                .isInstanceOf(EmbeddedException.class)
                .hasMessageContaining("made by PostgreSQL 16")
                .hasMessageContaining("upgrade-database");
        assertThat(command().run(List.of())).isEqualTo(1);
        assertThat(said()).contains("PostgreSQL 16, which made the database, is not on this machine");
        assertThatThrownBy(() -> command().transfer(former.home()))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("accounts.unknown");
        var root = data.resolve("postgres");
        assertThat(root.resolve("data.upgrade")).as("its room is free again").doesNotExist();
        assertThat(root.resolve("start-data.upgrade.log")).doesNotExist();
        assertThat(root.resolve("data/postmaster.opts")).content().contains("max_locks_per_transaction=512");
        assertThat(command().run(List.of("--undo")))
                .as("there is nothing to undo")
                .isEqualTo(1);
        assertThat(archive()).hasContent(ARCHIVE);
        assertFormer(former);
    }

    private void assertFormer(FormerPostgres former) throws SQLException {
        former.start();
        try (var connection = former.connect()) {
            assertThat(string(connection, "SELECT count(*) FROM accounts.users"))
                    .isEqualTo("3000");
            run(connection, "DROP FUNCTION IF EXISTS accounts.unknown()");
        }
        former.stop();
    }

    private void killedLeavesNothing(FormerPostgres former) throws SQLException {
        var next = data.resolve("postgres/data.upgrade");
        try (var node =
                ChildJvm.start(UpgradeNode.class, data.toString(), former.home().toString())) {
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> Files.exists(next.resolve("postmaster.pid")) || !node.alive());
            assertThat(node.alive()).isTrue();
            node.kill();
        }
        assertThatThrownBy(this::start)
                .as("both servers are stopped before that")
                .hasMessageContaining("made by PostgreSQL 16");
        assertThat(next).doesNotExist();
        assertThat(archive()).hasContent(ARCHIVE);
        assertFormer(former);
    }

    private void upgrade(FormerPostgres former) {
        assertThat(command().run(List.of("--programs", former.home().toString())))
                .as(said())
                .isZero();
        assertThat(said()).contains("comparing all rows", "The database is one of PostgreSQL 17 now");
        assertThat(archive()).as("a new log has an archive of its own").doesNotExist();
    }

    private static void assertServes(EmbeddedPostgres postgres, Connection connection) throws SQLException {
        assertThat(string(connection, "SHOW server_version")).startsWith("17.");
        assertThat(string(connection, "SELECT count(*) FROM accounts.users")).isEqualTo("3000");
        assertThat(string(connection, "SELECT nickname FROM accounts.users WHERE id = 7 << 20"))
                .isEqualTo("Näme 7\t\\");
        assertThat(string(connection, "SELECT nextval('platform.event_ids')")).isEqualTo("4712");
        assertThat(string(connection, "SELECT count(*) FROM records.\"records_" + SUFFIX + "\""))
                .isEqualTo("100");
        assertThat(string(connection, "SELECT indexdef FROM pg_indexes WHERE indexname = 'on_demand'"))
                .contains("doc ->> 0");
        assertThat(string(connection, "SELECT count(*) FROM pg_stats WHERE tablename = 'users'"))
                .as("statistics")
                .isNotEqualTo("0");
        assertThat(string(connection, "SHOW work_mem")).isEqualTo("12MB");
        try (var reader = DriverManager.getConnection(
                postgres.jdbcUrl("postgres"), "hiroba_sql_0000000000000001", "hiroba_app-secret")) {
            assertThat(string(reader, "SELECT count(name) FROM product")).isEqualTo("100");
        }
        var owner = postgres.owner();
        Migrations.run(DatabaseConfig.of(postgres.jdbcUrl("postgres"), owner.name(), owner.password()), App.SCHEMAS);
        run(connection, "SET ROLE hiroba_app");
        assertThat(string(connection, "SELECT records.close_sql_access('" + SUFFIX + "')"))
                .as("who owns the views owns the role")
                .isEqualTo("t");
        run(connection, "DELETE FROM accounts.users WHERE id = 1 << 20");
    }

    private static void assertOperatorsOwn(Connection connection) throws SQLException {
        run(connection, "RESET ROLE");
        assertThat(string(connection, "SHOW shared_preload_libraries")).isEqualTo("pg_stat_statements, auto_explain");
        assertThat(string(connection, "SELECT setconfig FROM pg_db_role_setting WHERE setrole = 'reporter'::regrole"))
                .isEqualTo("{\"session_preload_libraries=auto_explain, pg_stat_statements\"}");
        assertThat(string(connection, "SELECT tools.levenshtein('square', 'squares')"))
                .isEqualTo("1");
        run(connection, "SET ROLE hiroba_owner; CREATE TABLE accounts.reports (); RESET ROLE");
        assertThat(string(connection, "SELECT has_table_privilege('reporter', 'accounts.reports', 'SELECT')"))
                .isEqualTo("t");
        run(connection, "DROP TABLE accounts.reports");
        assertThat(string(connection, "SELECT defaclacl FROM pg_default_acl WHERE defaclrole = 'reporter'::regrole"))
                .as("not everybody")
                .isEqualTo("{reporter=X/reporter}");
    }

    private void refusedWhileAServerRuns() throws IOException {
        Files.writeString(archive(), ARCHIVE);
        assertThatThrownBy(() -> command().transfer(ownPrograms())).hasMessageContaining("already in use");
        assertThat(command().run(List.of("--undo"))).isEqualTo(1);
        assertThat(archive()).as("the server archives its log there").hasContent(ARCHIVE);
    }

    private Path ownPrograms() {
        return MajorUpgrade.programs(config(), MajorUpgrade.ownMajor(config()), Optional.empty())
                .orElseThrow();
    }

    /** What both servers are compared by tells a value from another, and not an order from another. */
    private static void oneChangedValueIsSeen(ClusterStore store) throws SQLException {
        store.run("RESET ROLE");
        store.beginWriting();
        var users = store.tables().stream()
                .filter(table -> table.name().equals("accounts.users"))
                .findFirst()
                .orElseThrow();
        var sum = store.sum(users);
        assertThat(sum.rows()).isEqualTo(2999);
        store.run("UPDATE accounts.users SET snippet = snippet || '.' WHERE id = 9 << 20");
        assertThat(store.sum(users)).isNotEqualTo(sum);
        store.run("UPDATE accounts.users SET snippet = left(snippet, -1) WHERE id = 9 << 20");
        assertThat(store.sum(users)).isEqualTo(sum);
    }

    private static void fillVectors(Connection connection) throws SQLException {
        run(connection, """
                RESET search_path;
                SET session_replication_role = replica;
                SELECT knowledge.make_space('test', 'test', 3, 'active');
                INSERT INTO knowledge.embeddings_1 (source_id, chunk_id, owned_by, created_at, source_type, is_public, embedding)
                SELECT n, n, 1, now(), (enum_range(NULL::knowledge.source_type_enum))[1], true,
                    format('[%s,%s,0]', cos(n * 0.015), sin(n * 0.015))::halfvec
                FROM generate_series(1, 200) AS n;
                """);
    }

    /** Transfers the tables of all features, and stops the machine at the two moments of the exchange. */
    private void stoppedBetweenRenames() throws SQLException, IOException {
        var programs = ownPrograms();
        command().transfer(programs);
        intact();
        var root = data.resolve("postgres");
        assertThat(root.resolve("data.former-17")).isDirectory();
        assertThatThrownBy(() -> command().transfer(programs)).hasMessageContaining("--finish");

        var next = root.resolve("data.upgrade");
        Files.writeString(root.resolve("exchanging"), "data.former-17\n");
        Files.move(root.resolve("data"), next);
        intact();
        assertThat(root.resolve("data.former-17")).as("between the renames").doesNotExist();
        assertThat(root.resolve("exchanging")).doesNotExist();

        Files.writeString(root.resolve("exchanging"), "data.former-17\n");
        Files.createDirectory(next);
        intact();
        assertThat(root.resolve("exchanging")).as("before both").doesNotExist();
    }

    private void intact() throws SQLException {
        try (var postgres = start();
                var connection = connect(postgres)) {
            assertThat(data.resolve("postgres/data.upgrade")).doesNotExist();
            assertThat(string(connection, "SELECT count(*) FROM accounts.users"))
                    .isEqualTo("2999");
            assertThat(string(connection, """
                    SELECT string_agg(source_id::text, ',') FROM (
                        SELECT source_id FROM knowledge.embeddings_1 ORDER BY embedding <=> '[-0.99,0.1411,0]' LIMIT 1) AS near
                    """)).isEqualTo("200");
            run(connection, "CREATE TEMPORARY TABLE written (id INT)");
        }
    }
}
