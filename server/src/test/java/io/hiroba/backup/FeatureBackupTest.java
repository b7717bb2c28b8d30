package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.App;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Language;
import io.hiroba.testkit.FakeS3;
import io.hiroba.testkit.LargeSquare;
import io.hiroba.testkit.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logical backups of one feature, of a database that is the operator's own. */
@Tag("slow")
class FeatureBackupTest {

    private static final String INSTANCE = UUID.randomUUID().toString();

    @TempDir
    private Path places;

    private static Connection superuser(TestDatabase database) throws SQLException {
        var config = database.superuser();
        return DriverManager.getConnection(config.url(), config.user(), config.password());
    }

    private static List<String> query(TestDatabase database, String sql) throws SQLException {
        var found = new ArrayList<String>();
        try (var connection = superuser(database);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (var connection = superuser(database);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A sum of the rows of each table of a schema. */
    private static Map<String, String> rows(TestDatabase database, String schema) throws SQLException {
        var sums = new TreeMap<String, String>();
        for (var table : query(database, "SELECT tablename FROM pg_tables WHERE schemaname = '%s'".formatted(schema))) {
            sums.put(
                    table,
                    query(
                                    database,
                                    "SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) FROM %s.\"%s\" t"
                                            .formatted(schema, table))
                            .getFirst());
        }
        return sums;
    }

    private BackupS3Config bucket = TestBackups.noBucket();

    private static Path write(TestDatabase database, String feature, Path to, BackupSecret secret) throws Exception {
        try (var connection = Db.connect(database.config().asOwner())) {
            return new FeatureBackup(connection, secret, text -> {}).write(feature, INSTANCE, new BackupFolder(to));
        }
    }

    private static long restore(TestDatabase database, Path backup, String feature, BackupSecret secret)
            throws Exception {
        try (var connection = Db.connect(database.config().asOwner())) {
            return new FeatureBackup(connection, secret, text -> {}).restore(backup, feature);
        }
    }

    @Test
    void allRowsOfAFeatureAreAsTheyWereAndThoseOfOthersAsTheyAre() throws Exception {
        try (var database = LargeSquare.create()) {
            var secret = new BackupSecret("correct horse battery staple");
            var before = rows(database, "social");
            var backup = write(database, "social", places, secret);
            assertThat(backup.getFileName().toString()).matches("\\d{8}T\\d{6}Z-social");
            assertThatThrownBy(() -> restore(database, backup, "social", secret))
                    .as("nodes run")
                    .hasMessageContaining("in use by hiroba");
            database.db().close();

            execute(database, "DELETE FROM social.posts WHERE id % 3 = 0");
            execute(database, "UPDATE social.posts SET snippet = 'changed' WHERE id % 5 = 0");
            execute(database, "UPDATE accounts.users SET snippet = '[1]' WHERE id % 7 = 0");
            var others = rows(database, "accounts");
            assertThat(rows(database, "social")).isNotEqualTo(before);
            assertThatThrownBy(() -> restore(database, backup, "social", BackupSecret.NONE))
                    .hasMessageContaining("encrypted");

            assertThat(restore(database, backup, "social", secret)).isGreaterThan(50_000);
            assertThat(rows(database, "social")).isEqualTo(before);
            assertThat(rows(database, "accounts")).isEqualTo(others);
            requireUnchanged(database);

            execute(database, "DELETE FROM accounts.users WHERE id = " + LargeSquare.QUIET);
            var now = rows(database, "social");
            assertThatThrownBy(() -> restore(database, backup, "social", secret))
                    .hasMessageContaining("nothing was changed");
            assertThat(rows(database, "social")).isEqualTo(now);
            requireUnchanged(database);
        }
    }

    /** Keys are checked at once, and triggers fire. */
    private static void requireUnchanged(TestDatabase database) throws SQLException {
        assertThat(query(database, "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'O'"))
                .isEmpty();
        try (var fresh = TestDatabase.create()) {
            var deferred = "SELECT conrelid::regclass || ' ' || conname FROM pg_constraint"
                    + " WHERE contype = 'f' AND condeferrable ORDER BY 1";
            assertThat(query(database, deferred)).isEqualTo(query(fresh, deferred));
        }
    }

    @Test
    void everyFeatureThatNoOtherDependsOnIsBackedUpAndRestored() throws Exception {
        try (var database = TestDatabase.create()) {
            database.db().close();
            var restored = new ArrayList<String>();
            for (var feature : App.SCHEMAS) {
                var before = rows(database, feature);
                var backup = write(database, feature, places, BackupSecret.NONE);
                try {
                    restore(database, backup, feature, BackupSecret.NONE);
                    restored.add(feature);
                } catch (BackupException e) {
                    assertThat(e).hasMessageContaining("cannot be restored by itself");
                }
                assertThat(rows(database, feature)).isEqualTo(before);
            }
            assertThat(App.SCHEMAS)
                    .hasSize(restored.size() + 2)
                    .containsAll(restored)
                    .contains("platform", "accounts");
            assertThat(restored).doesNotContain("platform", "accounts");
            requireUnchanged(database);
        }
    }

    @Test
    void whatDoesNotFitOrIsDamagedIsRefused() throws Exception {
        try (var database = TestDatabase.create()) {
            database.db().close();
            var backup = write(database, "saga", places, BackupSecret.NONE);
            assertThatThrownBy(() -> write(database, "sagas", places, BackupSecret.NONE))
                    .hasMessageContaining("no feature sagas");
            assertThatThrownBy(() -> restore(database, backup, "inbox", BackupSecret.NONE))
                    .hasMessageContaining("not a backup of inbox");
            execute(database, "CREATE TABLE saga.added (id bigint)");
            assertThatThrownBy(() -> restore(database, backup, "saga", BackupSecret.NONE))
                    .hasMessageContaining("saga.added");
            execute(database, "DROP TABLE saga.added");
            execute(
                    database,
                    "UPDATE saga.schema_history SET version = '999' WHERE installed_rank = (SELECT max(installed_rank) FROM saga.schema_history)");
            assertThatThrownBy(() -> restore(database, backup, "saga", BackupSecret.NONE))
                    .hasMessageContaining("and the database at 999");
            var json = backup.resolve(FeatureManifest.FILE);
            var content = Files.readString(json);
            Files.writeString(json, content.replace("\"format\" : 1", "\"format\" : 9"));
            assertThatThrownBy(() -> restore(database, backup, "saga", BackupSecret.NONE))
                    .hasMessageContaining("with that version or a newer one");
            Files.writeString(json, content.replace("\"migration\" : \"", "\"migration\" : \"9"));
            assertThatThrownBy(() -> restore(database, backup, "saga", BackupSecret.NONE))
                    .as("its checksum")
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void theCommandsTakeAFeature() throws Exception {
        try (var database = TestDatabase.create()) {
            database.db().close();
            assertThat(run(database, true, "--feature", "saga", "--to", places.toString()))
                    .startsWith("0 ")
                    .contains("-saga is complete");
            assertThat(run(database, true, "--feature", "saga", "--to", places.toString(), "--keep", "1h"))
                    .endsWith("No old backup was removed.\n");
            assertThat(run(database, true, "--feature", "saga", "--to", places.toString(), "--keep", "0s"))
                    .endsWith("2 old backups were removed.\n");
            run(database, true, "--feature", "saga", "--to", places.toString());
            execute(database, "ALTER SCHEMA saga RENAME TO gone");
            assertThat(run(database, true, "--feature", "saga", "--to", places.toString(), "--keep", "0s"))
                    .as("after a failure too")
                    .startsWith("1 ")
                    .contains("1 old backup was removed.");
            execute(database, "ALTER SCHEMA gone RENAME TO saga");
            assertThat(run(database, true, "list", "--from", places.toString()))
                    .startsWith("0 ")
                    .contains("-saga  taken ")
                    .hasLineCount(1);
            assertThat(run(database, true, "--feature", "saga", "--to", "/proc/x"))
                    .startsWith("1 ")
                    .contains("/proc/x is not there");
            assertThat(run(database, true, "--feature", "saga", "--to", places.toString(), "--keep", "-1d"))
                    .startsWith("2 --keep -1d does not fit here: ");
            assertThat(run(database, true, "--to")).isEqualTo("2 --to needs a value after it.\n");
            assertThat(run(database, true, "--feature", "saga"))
                    .startsWith("2 Name where the backup is to go: --to /var");
            assertThat(run(database, false, "--feature", "saga")).startsWith("2 Name where the backup is: --from /var");
            assertThat(run(database, true, "list")).startsWith("2 backup.folder is not set");
            assertThat(run(database, true, "verify")).startsWith("2 backup.folder is not set");
            assertThat(run(database, true, "--to", places.toString(), "--limit", "-5"))
                    .startsWith("2 --limit -5 does not fit");
            assertThat(run(database, true, "--too", "x")).isEqualTo("2 There is no option --too: did you mean --to?\n");
            assertThat(run(database, false, "--frobnicate", "x")).isEqualTo("2 There is no option --frobnicate.\n");
            assertThat(run(database, false, "--from", places.toString(), "--time", "2026-11-19 08:31:50"))
                    .startsWith("2 --time 2026-11-19 08:31:50 cannot be read")
                    .contains("with its zone", "Z for UTC")
                    .hasLineCount(1);
            for (var time : List.of("2026-11-19 08:31:50Z", "2026-11-19T17:31:50+09:00")) {
                assertThat(BackupArguments.parse(List.of("--time", time), Optional.empty())
                                .time())
                        .contains(Instant.parse("2026-11-19T08:31:50Z"));
            }
            assertThat(run(database, false, "--feature", "saga", "--from", places.toString()))
                    .startsWith("0 ")
                    .contains("saga is as it was");
            assertThat(run(database, false, "--feature", "inbox", "--from", places.toString()))
                    .startsWith("1 ")
                    .contains("There is no backup");
            assertThat(run(database, true, "--to", places.toString()))
                    .startsWith("1 ")
                    .contains("pgBackRest", "--feature");
        }
    }

    @Test
    void theCommandsTakeABucketForAFolder() throws Exception {
        try (var database = TestDatabase.create();
                var s3 = new FakeS3("hiroba-key")) {
            database.db().close();
            bucket = new BackupS3Config(
                    "", "", "us-east-1", s3.endpoint(), "hiroba-key", "s", true, Duration.ofDays(30));
            var place = "s3://square/features";
            assertThat(run(database, true, "--feature", "saga", "--to", place))
                    .startsWith("0 ")
                    .contains("-saga is complete in " + place);
            var first = Instant.now().getEpochSecond();
            await().until(() -> Instant.now().getEpochSecond() > first); // its name is its second
            assertThat(run(database, true, "--feature", "saga", "--to", place, "--keep", "0s"))
                    .endsWith("1 old backup was removed.\n");
            s3.putsLeft = 1;
            assertThat(run(database, true, "--feature", "saga", "--to", place, "--keep", "0s"))
                    .as("what is past its time is removed after a failure too")
                    .startsWith("1 ")
                    .contains("No old backup was removed.");
            s3.putsLeft = Integer.MAX_VALUE;
            assertThat(run(database, true, "list", "--from", place))
                    .startsWith("0 ")
                    .contains("-saga  taken ")
                    .hasLineCount(1);
            assertThat(places.resolve("data/backups").toFile().list())
                    .as("nothing stays here")
                    .containsExactly("backup.lock");
            var before = rows(database, "saga");
            assertThat(run(database, false, "--feature", "saga", "--from", place))
                    .startsWith("0 ")
                    .contains("saga is as it was");
            assertThat(rows(database, "saga")).isEqualTo(before);
            assertThat(run(database, false, "--feature", "inbox", "--from", place))
                    .startsWith("1 ")
                    .contains("There is no backup in " + place);
            var sums = s3.objects.keySet().stream()
                    .filter(name -> name.endsWith(StoredFiles.SUMS))
                    .findFirst()
                    .orElseThrow();
            s3.objects.remove(sums);
            assertThat(run(database, true, "list", "--from", place))
                    .as("one that is not complete is none")
                    .contains("There is no backup");
            assertThat(run(database, true, "--feature", "saga", "--to", "s3://Square"))
                    .startsWith("2 ");
        }
    }

    @Test
    void theRowsOfAnotherHirobaAreTakenOnlyIfItIsNamed() throws Exception {
        try (var one = TestDatabase.create();
                var other = TestDatabase.create();
                var s3 = new FakeS3("hiroba-key")) {
            one.db().close();
            other.db().close();
            bucket = new BackupS3Config(
                    "", "", "us-east-1", s3.endpoint(), "hiroba-key", "s", true, Duration.ofDays(30));
            var rival = Files.createDirectories(places.resolve("rival"));
            var names = List.of(
                    BackupWriter.instance(Files.createDirectories(places.resolve("data")))
                            .substring(0, 8),
                    BackupWriter.instance(rival).substring(0, 8));
            for (var place : List.of(places.resolve("to").toString(), "s3://square/shared")) {
                run(rival, other, true, "--feature", "inbox", "--to", place);
                assertThat(run(one, false, "--feature", "inbox", "--from", place))
                        .startsWith("1 ")
                        .contains("of other data folders only (" + names.getLast() + ")", "--instance");
                run(one, true, "--feature", "saga", "--to", place);
                run(rival, other, true, "--feature", "saga", "--to", place);
                assertThat(run(one, true, "list", "--from", place))
                        .contains("data folder " + names.getFirst(), "data folder " + names.getLast())
                        .hasLineCount(3);
            }
            var to = new BackupFolder(places.resolve("to"));
            assertThat(run(
                            one,
                            false,
                            "--feature",
                            "saga",
                            "--from",
                            places.resolve("to").toString()))
                    .contains("checking " + to.features("saga").getFirst(), "saga is as it was")
                    .doesNotContain(to.features("saga").getLast().toString());
            assertThat(run(one, false, "--feature", "saga", "--from", "s3://square/shared"))
                    .contains("/" + names.getFirst(), "saga is as it was")
                    .doesNotContain("/" + names.getLast());
            assertThat(run(
                            one,
                            false,
                            "--feature",
                            "saga",
                            "--from",
                            to.features("saga").getLast().toString()))
                    .as("one that is named is another's still")
                    .startsWith("1 ");
            assertThat(run(
                            one,
                            false,
                            "--feature",
                            "saga",
                            "--from",
                            to.root().toString(),
                            "--instance",
                            names.getLast()))
                    .startsWith("0 ")
                    .contains("checking " + to.features("saga").getLast());
        }
    }

    @Test
    void aPlaceThatIsNeitherAFolderNorABucketIsRefused() throws Exception {
        try (var database = TestDatabase.create()) {
            database.db().close();
            for (var place : List.of("ftp://host/x", "gs://bucket", "file:///b", "S4:/x")) {
                assertThat(run(database, true, "--feature", "saga", "--to", place))
                        .startsWith("2 --to " + place + " is neither a folder nor a bucket");
                assertThat(run(database, false, "--feature", "saga", "--from", place))
                        .startsWith("2 --from " + place + " is neither a folder nor a bucket");
            }
            assertThat(BackupS3Config.isUrl("S3://bucket/x")).isTrue();
            assertThat(bucket.at("S3://bucket/x").url()).isEqualTo("s3://bucket/x");
            assertThatThrownBy(() -> TestBackups.config(Path.of("ftp://host/x"), ""))
                    .hasMessageStartingWith("folder must be a folder");
        }
    }

    /** The exit status, and all that is said. */
    private String run(TestDatabase database, boolean isBackup, String... words) throws Exception {
        return run(Files.createDirectories(places.resolve("data")), database, isBackup, words);
    }

    private String run(Path data, TestDatabase database, boolean isBackup, String... words) throws Exception {
        var said = new ByteArrayOutputStream();
        var out = new PrintStream(said, true, StandardCharsets.UTF_8);
        var sources = new BackupSources(data, Map.of(), Optional.empty(), Optional.empty(), true, Optional.empty());
        var config = TestBackups.config(Path.of(""), Duration.ofDays(30), "", bucket);
        var command = new BackupCommand(sources, config, database.config(), Language.ENGLISH, out, out);
        int status = isBackup ? command.backup(List.of(words)) : command.restore(List.of(words));
        return status + " " + said.toString(StandardCharsets.UTF_8);
    }
}
