package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class EmbeddedPostgresTest {
    @TempDir
    Path dir;

    @Test
    void aFreshStartHasVectorsWithAnHnswIndex() throws Exception {
        var steps = new ArrayList<Progress.Step>();
        try (var postgres = EmbeddedPostgres.start(Databases.durable(dir.resolve("pg")), steps::add)) {
            assertThat(steps).endsWith(Progress.Step.INITIALISING, Progress.Step.STARTING);
            assertThat(postgres.adopted()).isFalse();
            Databases.execute(postgres, """
                    CREATE TABLE places (id int PRIMARY KEY, position halfvec(3) NOT NULL);
                    INSERT INTO places (id, position) VALUES (1, '[1,0,0]'), (2, '[0,1,0]'), (3, '[0,0.8,0.6]');
                    CREATE INDEX ON places USING hnsw (position halfvec_cosine_ops);
                    """);
            // So small a table would be read as a whole: the index has to be asked for.
            Databases.execute(postgres, "ALTER ROLE hiroba SET enable_seqscan = off");
            String nearest = "SELECT id FROM places ORDER BY position <=> '[0,0.9,0.5]' LIMIT 1";
            assertThat(Databases.query(postgres, nearest)).isEqualTo("3");
            assertThat(Databases.query(postgres, "EXPLAIN (FORMAT JSON) " + nearest))
                    .contains("places_position_idx");
        }
    }

    /** Removing the file of a role's password is how it is changed. */
    @Test
    void everyRestartKeepsTheDataAndThePasswordsWhoseFilesAreThere() throws Exception {
        Path data = dir.resolve("pg");
        DatabaseRole app;
        DatabaseRole reader;
        try (var postgres = Databases.startDurable(data)) {
            Databases.execute(postgres, "CREATE TABLE notes (text text); INSERT INTO notes VALUES ('kept')");
            app = postgres.app();
            reader = postgres.reader();
            as(postgres, reader, "SELECT 1");
        }
        try (var postgres = Databases.startDurable(data)) {
            assertThat(Databases.query(postgres, "SELECT text FROM notes")).isEqualTo("kept");
            assertThat(postgres.reader()).isEqualTo(reader);
        }
        Path file = data.resolve("password-hiroba_readonly");
        Files.delete(file);
        try (var postgres = Databases.startDurable(data)) {
            assertThat(Databases.query(postgres, "SELECT text FROM notes")).isEqualTo("kept");
            assertThatThrownBy(() -> as(postgres, reader, "SELECT 1"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
            as(postgres, postgres.reader(), "SELECT 1");
            assertThat(file).hasContent(postgres.reader().password());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(postgres.app()).isEqualTo(app);
            as(postgres, app, "SELECT 1");
        }
    }

    /** A folder from before there were roles: everything in it is the superuser's. */
    @Test
    void requestsAreServedByARoleThatOwnsNothing() throws Exception {
        Path data = dir.resolve("pg");
        try (var postgres = Databases.start(data)) {
            Databases.execute(postgres, """
                    CREATE SCHEMA former;
                    CREATE TYPE former.colour AS ENUM ('red', 'blue');
                    CREATE TABLE former.notes (id serial PRIMARY KEY, colour former.colour NOT NULL);
                    CREATE SEQUENCE former.numbers;
                    CREATE FUNCTION former.answer() RETURNS int LANGUAGE sql AS 'SELECT 42';
                    """);
        }
        try (var postgres = Databases.start(data)) {
            as(postgres, postgres.owner(), """
                    CREATE SCHEMA later;
                    CREATE TABLE later.notes (id serial PRIMARY KEY, text text);
                    ALTER TABLE former.notes ADD COLUMN text text;
                    """);
            as(postgres, postgres.app(), """
                    INSERT INTO later.notes (text) VALUES ('one');
                    UPDATE later.notes SET text = 'two';
                    INSERT INTO former.notes (colour, text) VALUES ('red', 'one');
                    SELECT nextval('former.numbers'), former.answer(), pg_try_advisory_lock(1);
                    """);
            as(postgres, postgres.reader(), "SELECT * FROM later.notes, former.notes");
            for (var refused : List.of(
                    "CREATE TABLE later.more (id int)",
                    "DROP TABLE former.notes",
                    "TRUNCATE later.notes",
                    "CREATE ROLE other",
                    "SET ROLE hiroba_owner",
                    "SELECT rolpassword FROM pg_authid",
                    "COPY (SELECT 1) TO PROGRAM 'true'")) {
                assertRefused(postgres, postgres.app(), refused);
            }
            // The owner makes the users that read a project's records by SQL, and none with more rights than its own.
            for (var refused : List.of(
                    "CREATE ROLE other SUPERUSER",
                    "CREATE ROLE other REPLICATION",
                    "CREATE ROLE other BYPASSRLS",
                    "ALTER ROLE hiroba PASSWORD 'mine'",
                    "GRANT pg_execute_server_program TO hiroba_owner",
                    "COPY (SELECT 1) TO PROGRAM 'true'")) {
                assertRefused(postgres, postgres.owner(), refused);
            }
            for (var refused : List.of(
                    "DELETE FROM later.notes",
                    "SELECT former.answer()",
                    "CREATE TABLE t (id int)",
                    "SELECT pg_advisory_lock(1)",
                    "SELECT pg_try_advisory_xact_lock_shared(1, 2)")) {
                assertRefused(postgres, postgres.reader(), refused);
            }
        }
    }

    private static void assertRefused(EmbeddedPostgres postgres, DatabaseRole role, String sql) {
        assertThatThrownBy(() -> as(postgres, role, sql))
                .as(sql)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
    }

    private static void as(EmbeddedPostgres postgres, DatabaseRole role, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl("postgres"), role.name(), role.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
