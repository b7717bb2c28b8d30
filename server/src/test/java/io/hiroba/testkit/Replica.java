package io.hiroba.testkit;

import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A primary and a streaming replica of it, which tests stop and promote. */
public final class Replica implements AutoCloseable {

    private final Path folder = Scratch.create("hiroba-replica");
    private final EmbeddedPostgres primary;
    private final EmbeddedPostgres replica;

    public Replica() throws Exception {
        primary = start("a");
        copy();
        replica = start("b");
    }

    private EmbeddedPostgres start(String name) {
        return EmbeddedPostgres.start(
                new EmbeddedConfig(folder.resolve(name), EmbeddedConfig.defaultCacheDir(), false), step -> {});
    }

    /** Copies the files of the running primary, as pg_basebackup does, which the embedded PostgreSQL may not have. */
    private void copy() throws SQLException, IOException, InterruptedException {
        try (var connection =
                        DriverManager.getConnection(primary.jdbcUrl("postgres"), primary.user(), primary.password());
                var statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('replica', true)");
            run("cp", "-a", folder.resolve("a").toString(), folder.resolve("b").toString());
            var data = folder.resolve("b/data");
            try (var row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop()")) {
                row.next();
                Files.writeString(data.resolve("backup_label"), row.getString(1));
            }
            run(
                    "rm",
                    "-rf",
                    data.resolve("postmaster.pid").toString(),
                    folder.resolve("b/lock").toString());
            Files.writeString(data.resolve("standby.signal"), "");
            Files.writeString(
                    data.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=%d user=%s password=%s'\n"
                            .formatted(primary.port(), primary.user(), primary.password()),
                    StandardOpenOption.APPEND);
            run("chown", "-R", Files.getOwner(folder.resolve("a/data")).getName(), data.toString());
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        // A file that goes while it is copied is written anew from the log.
        if (status != 0 && !command[0].equals("cp")) {
            throw new IllegalStateException(String.join(" ", command) + " ended with " + status);
        }
    }

    /** The URL of both servers, the replica first. */
    public String url(String targetServerType) {
        return "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?targetServerType=%s"
                .formatted(replica.port(), primary.port(), targetServerType);
    }

    /** The URL of the replica alone. */
    public String standby() {
        return replica.jdbcUrl("postgres");
    }

    public String user() {
        return primary.user();
    }

    public String password() {
        return primary.password();
    }

    public void stopPrimary() {
        primary.close();
    }

    public void promote() throws SQLException {
        try (var connection =
                        DriverManager.getConnection(replica.jdbcUrl("postgres"), replica.user(), replica.password());
                var statement = connection.createStatement()) {
            statement.execute("SELECT pg_promote()");
        }
    }

    @Override
    public void close() {
        replica.close();
        primary.close();
        Scratch.delete(folder);
    }
}
