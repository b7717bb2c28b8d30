package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small facts that are read off the machine and its files. */
@Tag("slow")
class MachineTest {
    @TempDir
    Path dir;

    @Test
    void eachKindOfMachineHasItsArchive() {
        assertThat(Platform.of("Linux", "amd64").archive()).isEqualTo("postgres-linux-x86_64.txz");
        assertThat(Platform.of("Linux", "aarch64").archive()).isEqualTo("postgres-linux-arm_64.txz");
        assertThat(Platform.of("Mac OS X", "aarch64").archive()).isEqualTo("postgres-darwin-arm_64.txz");
        assertThatThrownBy(() -> Platform.of("Windows 11", "amd64"))
                .isInstanceOf(EmbeddedException.class)
                .hasMessageContaining("HIROBA_DATABASE_URL");
    }

    @Test
    void theDatabaseTakesAnEighthOfTheMemory() {
        assertThat(Settings.sharedBuffers(0)).isEqualTo("128MB");
        assertThat(Settings.sharedBuffers(512L << 20)).isEqualTo("128MB");
        assertThat(Settings.sharedBuffers(4L << 30)).isEqualTo("512MB");
        assertThat(Settings.sharedBuffers(256L << 30)).isEqualTo("2048MB");
    }

    @Test
    void thePostmasterFileIsReadWhileItGrows() {
        assertThat(PostmasterFile.parse("")).isEmpty();
        assertThat(PostmasterFile.parse("garbage\n")).isEmpty();
        assertThat(PostmasterFile.parse("42\n/data\n1700000000\n").orElseThrow().ready())
                .isFalse();
        var file = PostmasterFile.parse("42\n/data\n1700000000\n5433\n\n127.0.0.1\n 1 1\nready   \n")
                .orElseThrow();
        assertThat(file.pid()).isEqualTo(42);
        assertThat(file.port()).isEqualTo(5433);
        assertThat(file.ready()).isTrue();
        assertThat(file.withPid(7)).startsWith("7\n/data\n").endsWith("ready   \n");
    }

    @Test
    void versionsAreOrderedByNumbers() {
        assertThat(VectorFiles.BY_NUMBERS.compare("0.10.0", "0.9.9")).isPositive();
        assertThat(VectorFiles.BY_NUMBERS.compare("2.36", "2.38")).isNegative();
        assertThat(VectorFiles.version("comment = 'x'\ndefault_version = '0.8.0'\n"))
                .isEqualTo("0.8.0");
        assertThat(VectorFiles.neededGlibc("\0GLIBC_2.17\0GLIBC_2.38\0GLIBC_2.4\0"))
                .contains("2.38");
        assertThat(VectorFiles.neededGlibc("no symbols")).isEmpty();
    }

    @Test
    void aProgramThatHangsIsEnded() {
        var outcome = Command.of("sleep", "600").run(Duration.ofMillis(100));
        assertThat(outcome.succeeded()).isFalse();
        assertThat(outcome.lastWords()).contains("did not finish");
    }

    @Test
    void aProgramThatIsMissingIsAFailureAndNoException() {
        assertThat(Command.of("no-such-program").run(Duration.ofSeconds(1)).lastWords())
                .contains("cannot be run");
        assertThat(Command.find("no-such-program")).isEmpty();
    }

    @Test
    void theLastErrorIsWhatAFailedProgramSays() {
        var outcome = new Command.Outcome(1, "LOG: one\nFATAL: the disk is full\nLOG: shut down\n");
        assertThat(outcome.lastWords()).isEqualTo("FATAL: the disk is full");
        assertThatThrownBy(() -> outcome.orThrow("It failed")).hasMessage("It failed (FATAL: the disk is full)");
    }

    @Test
    void aLockIsHeldOnceAndFreeAfterwards() throws Exception {
        Path file = dir.resolve("lock");
        var lock = FolderLock.tryAcquire(file).orElseThrow();
        assertThat(FolderLock.tryAcquire(file)).isEmpty();
        assertThatThrownBy(() -> FolderLock.acquire(file, Duration.ofMillis(50)))
                .hasMessageContaining("locked");
        lock.close();
        FolderLock.acquire(file, Duration.ofSeconds(1)).close();
    }

    @Test
    void aHalfUnpackedPostgresqlIsUnpackedAgain() throws Exception {
        PgHome home = Binaries.location(dir);
        Files.createDirectories(dir.resolve(".postgresql-1-abc/bin"));
        Files.createDirectories(home.root().resolve("bin"));
        Binaries.unpack(home, dir, Databases.SILENT);
        assertThat(Binaries.unpacked(home)).isTrue();
        assertThat(home.extensions().resolve("pg_trgm.control")).exists();
        assertThat(dir.resolve(".postgresql-1-abc")).doesNotExist();
    }

    @Test
    void whatToInstallIsSaidInOneSentence() {
        assertThat(Pgvector.mend(Platform.of("Linux", "amd64"), List.of("a build from source: no network")))
                .contains("pgvector 0.8.0 is missing")
                .contains("HIROBA_DATABASE_URL")
                .contains("no network");
        assertThat(Pgvector.mend(Platform.of("Mac OS X", "aarch64"), List.of())).contains("Homebrew");
    }

    @Test
    void theReportTellsWhatTheNextStartProvides() {
        var fresh = EmbeddedReport.inspect(new EmbeddedConfig(dir.resolve("pg"), dir.resolve("cache"), true));
        assertThat(fresh.lines()).extracting(EmbeddedReport.Line::part).containsExactly(EmbeddedReport.Part.values());
        assertThat(fresh.lines().getFirst().state()).isEqualTo(EmbeddedReport.State.POSSIBLE);
        assertThat(fresh.usable()).isTrue();
        assertThat(dir.resolve("cache")).doesNotExist();
        try (var postgres = Databases.start(dir.resolve("pg"))) {
            var served = EmbeddedReport.inspect(Databases.durable(dir.resolve("pg")));
            assertThat(served.lines()).allMatch(line -> line.state() == EmbeddedReport.State.READY);
            assertThat(served.lines().getLast().values())
                    .containsEntry("pid", Long.toString(postgres.pid()))
                    .containsEntry("port", Integer.toString(postgres.port()));
        }
    }
}
