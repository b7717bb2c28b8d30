package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.AppConfig;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The TLS modes of the connection to the database, against a server with a certificate of an authority that is made here. */
class DatabaseTlsTest {

    private static final String PASSWORD = "changeit";

    @TempDir
    private static Path folder;

    private static EmbeddedPostgres server;

    @BeforeAll
    static void serve() throws Exception {
        keytool("ca", "-ext", "bc=ca:true");
        keytool("server", "-signer", "ca", "-ext", "san=dns:localhost");
        keytool("stranger", "-ext", "bc=ca:true");
        server = EmbeddedPostgres.start(
                new EmbeddedConfig(folder.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false), step -> {});
        var data = folder.resolve("postgres/data");
        Files.copy(folder.resolve("server.crt"), data.resolve("server.crt"));
        Files.copy(folder.resolve("server.key"), data.resolve("server.key"));
        Files.setPosixFilePermissions(data.resolve("server.key"), PosixFilePermissions.fromString("rw-------"));
        var owner = Files.getAttribute(data, "unix:uid");
        Files.setAttribute(data.resolve("server.crt"), "unix:uid", owner);
        Files.setAttribute(data.resolve("server.key"), "unix:uid", owner);
        // The role of requests is let in with TLS only.
        var rules = data.resolve("pg_hba.conf");
        Files.writeString(rules, "hostnossl all hiroba_app all reject\n" + Files.readString(rules));
        try (var connection =
                        Db.connect(DatabaseConfig.of(server.jdbcUrl("postgres"), server.user(), server.password()));
                var statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET ssl = on");
            statement.execute("SELECT pg_reload_conf()");
        }
        await().untilAsserted(() ->
                assertThat(isEncrypted("require", "ca", "localhost")).isTrue());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void keytool(String name, String... more) throws Exception {
        var store = folder.resolve("keys.p12");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        var keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        write(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
        write(
                name + ".key",
                "PRIVATE KEY",
                keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
    }

    private static void write(String file, String kind, byte[] content) throws IOException {
        var text = Base64.getMimeEncoder().encodeToString(content);
        Files.writeString(
                folder.resolve(file), "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(kind, text));
    }

    private static DatabaseConfig config(String mode, String authority, String host, String parameters) {
        var app = server.app();
        return ConfigLoader.of(AppConfig.class)
                .environment(Map.of())
                .arguments(List.of(
                        "--database.url=postgresql://%s:%d/postgres%s".formatted(host, server.port(), parameters),
                        "--database.user=" + app.name(),
                        "--database.password=" + app.password(),
                        "--database.tls.mode=" + mode,
                        "--database.tls.ca=" + folder.resolve(authority + ".crt")))
                .load()
                .value()
                .database();
    }

    private static boolean isEncrypted(String mode, String authority, String host) throws SQLException {
        return isEncrypted(config(mode, authority, host, ""));
    }

    private static boolean isEncrypted(DatabaseConfig config) throws SQLException {
        var passed = DatabaseUrl.resolve(config);
        try (var connection = Db.connect(passed);
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static void refuse(String mode, String authority, String host) {
        assertThatThrownBy(() -> DatabaseCheck.pass(config(mode, authority, host, "")))
                .as("%s, %s, %s", mode, authority, host)
                .isInstanceOf(DatabaseException.class);
    }

    @Test
    void eachModeEncryptsAndVerifiesAsMuchAsItsNameSays() throws SQLException {
        assertThat(isEncrypted("prefer", "stranger", "127.0.0.1")).isTrue();
        assertThat(isEncrypted("require", "stranger", "127.0.0.1")).isTrue();
        assertThat(isEncrypted("verify-ca", "ca", "127.0.0.1")).isTrue();
        assertThat(isEncrypted("verify-full", "ca", "localhost")).isTrue();
        refuse("disable", "ca", "localhost");
        refuse("verify-ca", "stranger", "localhost");
        refuse("verify-full", "stranger", "localhost");
        refuse("verify-full", "ca", "127.0.0.1");
        refuse("verify-full", "missing", "localhost");
    }

    @Test
    void theUrlMaySayItInsteadButNothingElse() throws SQLException {
        assertThat(isEncrypted(config("prefer", "ca", "localhost", "?sslmode=verify-full")))
                .isTrue();
        assertThat(isEncrypted(config("verify-full", "ca", "localhost", "?sslmode=verify-full")))
                .isTrue();
        assertThatThrownBy(() -> DatabaseUrl.resolve(config("verify-full", "ca", "localhost", "?sslmode=disable")))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("database.tls.mode is verify-full");
    }

    @Test
    void aModeThatNeedsTlsRefusesAServerWithoutIt() {
        try (var plain = TestDatabase.create()) {
            for (var mode : List.of("require", "verify-ca", "verify-full")) {
                var config = plain.config();
                var url = config.url() + (config.url().contains("?") ? "&" : "?") + "sslmode=" + mode;
                assertThatThrownBy(() -> DatabaseCheck.pass(DatabaseConfig.of(url, config.user(), config.password())))
                        .as(mode)
                        .isInstanceOf(DatabaseException.class);
            }
        }
    }
}
