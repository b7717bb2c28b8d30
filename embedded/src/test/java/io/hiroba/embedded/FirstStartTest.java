package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class FirstStartTest {
    @TempDir
    Path dir;

    private Path root;

    @BeforeEach
    void folder() {
        root = dir.resolve("pg");
    }

    @Test
    void aFirstStartThatWasCutOffIsDoneAgain() throws Exception {
        Files.createDirectories(root.resolve("data.new-1-abc/base/1"));
        Files.writeString(root.resolve("data.new-1-abc/PG_VERSION"), "17\n");
        Files.writeString(root.resolve("password"), "from-the-first-attempt\n");
        try (var postgres = Databases.start(root)) {
            assertThat(postgres.password()).isEqualTo("from-the-first-attempt");
            assertThat(Databases.query(postgres, "SELECT 1")).isEqualTo("1");
            assertThat(root.resolve("data.new-1-abc")).doesNotExist();
        }
    }

    @Test
    void aHalfMadeDatabaseIsSetAside() throws Exception {
        Files.createDirectories(root.resolve("data/base"));
        Files.writeString(root.resolve("data/PG_VERSION"), "17\n");
        try (var postgres = Databases.start(root)) {
            assertThat(Databases.query(postgres, "SELECT 1")).isEqualTo("1");
        }
        assertThat(Folders.list(root, "data.unfinished-")).hasSize(1);
    }

    @Test
    void aDamagedDatabaseIsNeverReplacedByAnEmptyOne() throws Exception {
        Databases.start(root).close();
        Files.delete(root.resolve("data/global/pg_control"));
        assertThatThrownBy(() -> Databases.start(root))
                .isInstanceOf(EmbeddedException.class)
                .hasMessageContaining("restore the folder from a backup");
        assertThat(root.resolve("data/base")).exists();
    }

    @Test
    void aDatabaseOfAnotherMajorVersionIsRefused() throws Exception {
        Databases.start(root).close();
        Files.writeString(root.resolve("data/PG_VERSION"), "16\n");
        assertThatThrownBy(() -> Databases.start(root)).hasMessageContaining("was made by PostgreSQL 16");
    }

    @Test
    void aLostPasswordIsReplaced() throws Exception {
        Databases.start(root).close();
        Files.delete(root.resolve("password"));
        try (var postgres = Databases.start(root)) {
            assertThat(Databases.query(postgres, "SELECT current_user")).isEqualTo("hiroba");
        }
    }

    @Test
    void aWrongPasswordFileIsOneClearSentence() throws Exception {
        Databases.start(root).close();
        Files.writeString(root.resolve("password"), "wrong\n");
        assertThatThrownBy(() -> Databases.start(root)).hasMessageContaining("remove that file and start again");
        assertThat(PostmasterFile.read(root.resolve("data"))).isEmpty();
    }

    @Test
    void aStalePostmasterFileOfADeadProcessIsOverlooked() throws Exception {
        staleFile(999_999_999);
        try (var postgres = Databases.start(root)) {
            assertThat(postgres.adopted()).isFalse();
            assertThat(Databases.query(postgres, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aStalePostmasterFileWhoseNumberAnotherProcessHasNowIsOverlooked() throws Exception {
        Process foreign = new ProcessBuilder("sleep", "600").start();
        try {
            staleFile(foreign.pid());
            try (var postgres = Databases.start(root)) {
                assertThat(postgres.adopted()).isFalse();
                assertThat(Databases.query(postgres, "SELECT 1")).isEqualTo("1");
            }
            assertThat(foreign.isAlive()).isTrue();
        } finally {
            foreign.destroyForcibly();
        }
    }

    @Test
    void thePasswordIsForTheOwnerAloneAndTheServerListensOnLoopbackOnly() throws Exception {
        try (var postgres = Databases.start(root)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("password"))))
                    .isEqualTo("rw-------");
            assertThat(Databases.query(postgres, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(Databases.query(postgres, "SHOW unix_socket_directories"))
                    .isEmpty();
            assertThat(Databases.query(postgres, "SHOW data_checksums")).isEqualTo("on");
            assertThat(Databases.query(postgres, "SHOW max_parallel_maintenance_workers"))
                    .as("CVE-2026-3172")
                    .isEqualTo("0");
            assertThat(Databases.query(postgres, "SHOW shared_preload_libraries"))
                    .isEqualTo("pg_stat_statements");
            assertThat(Databases.query(postgres, """
                    SELECT datlocprovider::text || ' ' || datlocale || ' ' || pg_encoding_to_char(encoding)
                    FROM pg_database WHERE datname = 'postgres'
                    """)).isEqualTo("b C.UTF-8 UTF8");
            assertThatThrownBy(
                            () -> DriverManager.getConnection(postgres.jdbcUrl("postgres"), postgres.user(), "guess"))
                    .hasMessageContaining("password authentication failed");
        }
    }

    private void staleFile(long pid) throws Exception {
        Databases.start(root).close();
        Files.writeString(
                root.resolve("data/postmaster.pid"),
                pid + "\n" + root.resolve("data") + "\n1700000000\n5432\n\n127.0.0.1\n 1 1\nready   \n");
    }
}
