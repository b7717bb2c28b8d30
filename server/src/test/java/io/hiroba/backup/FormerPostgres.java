package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.security.auth.module.UnixSystem;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** A PostgreSQL 16 as the program of a former year had it, without pgvector, and a data folder that it has made. */
final class FormerPostgres {

    private static final String PASSWORD = "a-former-password";

    private final Path home;
    private final Path root;
    private final int port;

    /** @param data the data folder, which does not exist yet */
    FormerPostgres(Path data) throws IOException {
        this.home = unpacked();
        this.root = data.resolve("postgres");
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = socket.getLocalPort();
        }
        Files.createDirectories(root);
        write("password", PASSWORD);
        write("initialised", "16");
        run(
                "initdb",
                "--pgdata=" + data(),
                "--username=hiroba",
                "--pwfile=" + root.resolve("password"),
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--auth=scram-sha-256",
                "--data-checksums",
                "--no-sync");
    }

    private Path data() {
        return root.resolve("data");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(root.resolve(name), text);
        Files.setPosixFilePermissions(root.resolve(name), PosixFilePermissions.fromString("rw-------"));
    }

    /** The folder of its programs. */
    Path home() {
        return home;
    }

    /** Once for all runs: it takes longer than all that is done with it. */
    private static Path unpacked() throws IOException {
        var jar = Path.of("target", "former-postgresql.jar").toAbsolutePath();
        var home = jar.resolveSibling("former-postgresql-" + Files.size(jar));
        if (!Files.isDirectory(home)) {
            var half = Files.createTempDirectory(jar.getParent(), "former-postgresql-");
            unpack(jar, half);
            Files.move(half, home);
        }
        return home;
    }

    private static void unpack(Path source, Path home) throws IOException {
        try (var jar = new JarFile(source.toFile())) {
            var archive = jar.stream()
                    .filter(entry -> entry.getName().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow();
            try (var tar = new TarArchiveInputStream(
                    new XZCompressorInputStream(new BufferedInputStream(jar.getInputStream(archive))))) {
                for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    var file = home.resolve(entry.getName());
                    Files.createDirectories(entry.isDirectory() ? file : file.getParent());
                    if (entry.isSymbolicLink()) {
                        Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                    } else if (entry.isFile()) {
                        Files.copy(tar, file);
                        file.toFile().setExecutable((entry.getMode() & 0100) != 0);
                    }
                }
            }
        }
    }

    private void run(String program, String... arguments) {
        var words = new ArrayList<String>();
        if (new UnixSystem().getUid() == 0) {
            words.addAll(List.of("unshare", "-U"));
        }
        words.add(home.resolve("bin").resolve(program).toString());
        words.addAll(List.of(arguments));
        try {
            var process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(root.resolve("output").toFile())
                    .start();
            assertThat(process.waitFor())
                    .as(Files.readString(root.resolve("output")))
                    .isZero();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void start() {
        run(
                "pg_ctl",
                "start",
                "-w",
                "-D",
                data().toString(),
                "-l",
                root.resolve("server").toString(),
                "-o",
                "-p " + port + " -c fsync=off -c listen_addresses=127.0.0.1 -c unix_socket_directories=");
    }

    void stop() {
        run("pg_ctl", "stop", "-w", "-D", data().toString(), "-m", "fast");
    }

    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), "hiroba", PASSWORD);
    }

    /** The roles and rights that the start of an embedded database gives. */
    void giveRoles() throws SQLException, IOException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (var role : List.of("hiroba_owner", "hiroba_app", "hiroba_readonly")) {
                write("password-" + role, role + "-secret");
                statement.execute("CREATE ROLE %1$s LOGIN PASSWORD '%1$s-secret'".formatted(role));
            }
            statement.execute("""
                    ALTER ROLE hiroba_owner CREATEROLE;
                    GRANT pg_read_all_stats, pg_signal_backend TO hiroba_app;
                    ALTER DATABASE postgres OWNER TO hiroba_owner;
                    ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT USAGE ON SCHEMAS TO hiroba_app, hiroba_readonly;
                    ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO hiroba_app;
                    ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT SELECT ON TABLES TO hiroba_readonly;
                    ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO hiroba_app;
                    ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner REVOKE EXECUTE ON ROUTINES FROM PUBLIC;
                    ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT EXECUTE ON ROUTINES TO hiroba_app;
                    """);
        }
    }
}
