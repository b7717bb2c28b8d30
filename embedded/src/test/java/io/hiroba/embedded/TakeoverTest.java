package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class TakeoverTest {
    @TempDir
    Path dir;

    @Test
    void aServerWhoseOwnerWasKilledIsTakenOver() throws Exception {
        try (var owner = OwnerProcess.start(dir.resolve("pg"))) {
            long server = owner.serving();
            owner.kill();
            try (var postgres = Databases.startDurable(dir.resolve("pg"))) {
                assertThat(postgres.adopted()).isTrue();
                assertThat(postgres.pid()).isEqualTo(server);
                assertThat(Databases.query(postgres, "SELECT extname FROM pg_extension WHERE extname = 'vector'"))
                        .isEqualTo("vector");
            }
            assertThat(Processes.alive(server)).isFalse();
        }
    }

    @Test
    void aServerWithoutDurabilityIsRestartedRatherThanTakenOver() throws Exception {
        var tests = new EmbeddedConfig(dir.resolve("pg"), EmbeddedConfig.defaultCacheDir(), false);
        var careless = EmbeddedPostgres.start(tests, Databases.SILENT);
        assertThat(Databases.query(careless, "SHOW fsync")).isEqualTo("off");
        careless.abandon();
        try (var postgres = Databases.startDurable(dir.resolve("pg"))) {
            assertThat(postgres.adopted()).isFalse();
            assertThat(Databases.query(postgres, "SHOW fsync")).isEqualTo("on");
            assertThat(Databases.query(postgres, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(Databases.query(postgres, "SHOW full_page_writes")).isEqualTo("on");
        }
    }

    @Test
    void aSecondStartOnAFolderInUseIsRefusedWithTheProcessThatUsesIt() throws Exception {
        try (var owner = OwnerProcess.start(dir.resolve("pg"))) {
            owner.serving();
            assertThatThrownBy(() -> Databases.start(dir.resolve("pg")))
                    .isInstanceOf(EmbeddedException.class)
                    .hasMessageContaining("already in use by process " + owner.pid());
            assertThat(owner.finish()).contains("stopped");
        }
    }

    @Test
    void aSecondStartInTheSameProcessIsRefusedAndTheFirstKeepsItsLock() throws Exception {
        Path data = dir.resolve("pg");
        try (var first = Databases.start(data)) {
            assertThatThrownBy(() -> Databases.start(data)).hasMessageContaining("already in use by process");
            try (var other = OwnerProcess.start(data)) {
                assertThat(other.finish()).anyMatch(line -> line.contains("already in use by process"));
            }
            assertThat(Databases.query(first, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aServerThatIsNotOfAnInterruptedRecoveryIsNotTakenForItsLeftovers() throws Exception {
        Path data = dir.resolve("pg");
        var owned = Databases.start(data);
        assertThat(Recovery.abandon(data)).contains(ProcessHandle.current().pid());
        owned.abandon();
        assertThat(Recovery.abandon(data)).contains(owned.pid());
        assertThat(Processes.alive(owned.pid())).isTrue();
        Databases.start(data).close();
        assertThat(Recovery.abandon(data)).isEmpty();
    }

    @Test
    void twoFoldersAreServedSideBySide() throws Exception {
        try (var one = Databases.start(dir.resolve("one"));
                var two = Databases.start(dir.resolve("two"))) {
            assertThat(one.port()).isNotEqualTo(two.port());
            assertThat(one.password()).isNotEqualTo(two.password());
            Databases.execute(one, "CREATE TABLE mine (id int)");
            assertThat(Databases.query(two, "SELECT count(*) FROM pg_class WHERE relname = 'mine'"))
                    .isEqualTo("0");
        }
    }
}
