package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hiroba.platform.Platform;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.i18n.Text;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestPlatform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The work on exports: by two nodes, after crashes, cancelled in the middle, and swept. */
@SuppressWarnings("NullAway.Init") // JUnit sets the folder before any test
class DataExportsTest {

    private static final TestAccounts ACCOUNTS = new TestAccounts();

    @TempDir
    static Path folder;

    private final Platform platform = TestPlatform.of(
            ACCOUNTS.db,
            ACCOUNTS.database.config(),
            ACCOUNTS.lease.ids(),
            ACCOUNTS.clock,
            ACCOUNTS.mailer,
            HttpConfig.onFreePort());
    private final ArchiveStorage storage = new Folder();
    private final UserId user = ACCOUNTS.user("Hana");
    private Runnable inTheMiddle = () -> {};

    private final DataExports exports =
            new DataExports(platform, ACCOUNTS.sessions, ACCOUNTS.module.audit(), storage, List.of(part()));
    private final DataExportWorker worker = worker();

    /** A worker takes the oldest of whomever. */
    @BeforeEach
    void clear() {
        ACCOUNTS.db.useTransaction(
                tx -> tx.update("DELETE FROM accounts.exports").execute());
    }

    @AfterAll
    static void close() {
        ACCOUNTS.close();
    }

    /** Archives in a folder. */
    private record Folder() implements ArchiveStorage {

        @Override
        public void put(String name, Path archive) {
            try {
                Files.copy(archive, folder.resolve(name));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void put(String name, byte[] content) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Stored> get(String name) {
            try {
                var file = folder.resolve(name);
                return Files.exists(file)
                        ? Optional.of(new Stored(Files.newInputStream(file), Files.size(file)))
                        : Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void delete(String name) {
            try {
                Files.deleteIfExists(folder.resolve(name));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A part of two lines, between which something may happen once. */
    private ExportPart part() {
        return new ExportPart("things", Text.of("accounts.export-part"), (id, files) -> {
            var out = files.begin("things.jsonl");
            out.write("{\"user\":%d}\n".formatted(id).getBytes(StandardCharsets.UTF_8));
            var act = inTheMiddle;
            inTheMiddle = () -> {};
            act.run();
            out.write('{');
            out.write("}\n".getBytes(StandardCharsets.UTF_8));
        });
    }

    private DataExportWorker worker() {
        return new DataExportWorker(platform, ACCOUNTS.users, exports, storage, Duration.ZERO);
    }

    private Caller caller() {
        return ACCOUNTS.signedIn(user);
    }

    private DataExport start() {
        return exports.start(caller(), TestAccounts.PASSWORD);
    }

    private DataExport state(DataExport export) {
        return exports.get(caller(), export.id());
    }

    private static List<String> archives(DataExport export) {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(export.id().hex()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As if the node that has it had been dead for a while. */
    private static void loseLease(DataExport export) {
        ACCOUNTS.db.useTransaction(
                tx -> tx.update("UPDATE accounts.exports SET leased_until = now() - interval '1 second' WHERE id = :id")
                        .bind("id", export.id().value())
                        .execute());
    }

    @Test
    void anExportIsWrittenOnceAndItsOwnerIsTold() {
        var export = start();
        assertThat(state(export).state()).isEqualTo(DataExport.State.RUNNING);
        assertThat(worker.runNext()).isTrue();
        assertThat(worker.runNext()).isFalse();
        var ready = state(export);
        assertThat(ready.state()).isEqualTo(DataExport.State.READY);
        assertThat(ready.parts()).containsExactly(new DataExport.PartProgress("things", 2, true));
        assertThat(ready.expiresAt())
                .isCloseTo(ACCOUNTS.clock.instant().plus(DataExportWorker.KEPT), within(1, ChronoUnit.MILLIS));
        assertThat(archives(export)).containsExactly(DataExport.archive(export.id(), 1));
        assertThat(ACCOUNTS.mailer.recent(50))
                .anySatisfy(mail -> assertThat(mail.toString()).contains("Your Hiroba data is ready"));
    }

    @Test
    void onlyOneIsRunningAtATimeAndThereAreThreeADay() {
        var first = start();
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(this::start).isInstanceOf(AccountsProblem.class).hasMessageContaining("running already");
        }
        exports.delete(caller(), first.id());
        exports.delete(caller(), start().id());
        exports.delete(caller(), start().id());
        assertThatThrownBy(this::start).hasMessageNotContaining("running already");
        ACCOUNTS.clock.advance(Duration.ofDays(1));
        assertThat(start().state()).isEqualTo(DataExport.State.RUNNING);
    }

    @Test
    void whatADeadNodeBeganIsBegunAnew() {
        var export = start();
        inTheMiddle = () -> {
            throw new Death();
        };
        assertThatThrownBy(worker::runNext).isInstanceOf(Death.class);
        assertThat(state(export).state()).isEqualTo(DataExport.State.RUNNING);
        assertThat(worker().runNext()).as("its lease has not ended").isFalse();
        loseLease(export);
        assertThat(worker().runNext()).isTrue();
        assertThat(state(export).state()).isEqualTo(DataExport.State.READY);
        assertThat(state(export).parts()).containsExactly(new DataExport.PartProgress("things", 2, true));
        assertThat(archives(export)).containsExactly(DataExport.archive(export.id(), 2));
    }

    /** The process ended here. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aNodeThatOnlySleptLeavesTheArchiveOfTheNextOneAlone() {
        var export = start();
        inTheMiddle = () -> {
            loseLease(export);
            assertThat(worker().runNext()).isTrue();
            assertThat(state(export).state()).isEqualTo(DataExport.State.READY);
        };
        worker.runNext();
        assertThat(state(export).state()).isEqualTo(DataExport.State.READY);
        assertThat(state(export).fence()).isEqualTo(2);
        assertThat(archives(export)).containsExactly(DataExport.archive(export.id(), 2));
    }

    @Test
    void oneThatIsCancelledInTheMiddleEndsThere() {
        var export = start();
        inTheMiddle = () -> exports.delete(caller(), export.id());
        assertThat(worker.runNext()).isTrue();
        assertThat(exports.list(caller(), Optional.empty(), 10)).isEmpty();
        assertThat(archives(export)).isEmpty();
        assertThat(start().id()).as("there is room for the next").isNotEqualTo(export.id());
    }

    @Test
    void aNodeThatStopsHandsItsExportOn() {
        var export = start();
        inTheMiddle = worker::close;
        worker.runNext();
        assertThat(state(export).state()).isEqualTo(DataExport.State.RUNNING);
        assertThat(worker().runNext()).isTrue();
        assertThat(state(export).state()).isEqualTo(DataExport.State.READY);
    }

    @Test
    void oneThatFailsAgainAndAgainIsGivenUp() {
        var export = start();
        for (int i = 0; i < 6; i++) {
            inTheMiddle = () -> {
                throw new IllegalStateException("a test wants it");
            };
            assertThat(worker.runNext()).isTrue();
            loseLease(export);
        }
        assertThat(state(export).state()).isEqualTo(DataExport.State.FAILED);
        assertThat(archives(export)).isEmpty();
    }

    @Test
    void archivesGoWhenTheyExpireAndWithTheAccount() {
        var expired = start();
        worker.runNext();
        ACCOUNTS.clock.advance(Duration.ofDays(6));
        exports.sweep();
        assertThat(archives(expired)).hasSize(1);
        var kept = start();
        worker.runNext();
        ACCOUNTS.clock.advance(Duration.ofDays(1));
        exports.sweep();
        assertThat(archives(expired)).isEmpty();
        assertThat(archives(kept)).hasSize(1);
        ACCOUNTS.users.delete(ACCOUNTS.caller(ACCOUNTS.admin()), user);
        exports.sweep();
        assertThat(archives(kept)).isEmpty();
    }

    @Test
    void whatACrashLeftOnANodeIsSweptAndWhatIsBeingWrittenIsNot() throws IOException {
        var own = Files.createDirectories(platform.data().resolve("exports"));
        var old = Files.writeString(own.resolve("old-" + user.hex() + ".zip"), "half");
        var young = Files.writeString(own.resolve("young-" + user.hex() + ".zip"), "half");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(7))));
        worker.sweep();
        assertThat(old).doesNotExist();
        assertThat(young).exists();
        Files.delete(young);
    }

    @Test
    void anAdminWhoActsAsAnotherTakesNothingAlong() {
        var export = start();
        worker.runNext();
        var acting = new Caller(user, false, caller().via(), ACCOUNTS.admin());
        assertThatThrownBy(() -> exports.open(acting, export.id())).hasMessageContaining("owners");
        assertThatThrownBy(() -> exports.start(acting, TestAccounts.PASSWORD)).hasMessageContaining("owners");
    }
}
