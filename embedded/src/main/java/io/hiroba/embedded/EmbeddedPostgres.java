package io.hiroba.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running PostgreSQL 17 with pgvector of one data folder.
 *
 * <p>The server is a process of its own: when this process is killed it goes on, and the next start on the folder takes
 * it over.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    /** The one database of a folder. */
    private static final String DATABASE = "postgres";

    private static final Logger log = LoggerFactory.getLogger(EmbeddedPostgres.class);
    private static final Duration CACHE_LIMIT = Duration.ofMinutes(10);

    private final DataFolder folder;
    private final Postmaster postmaster;
    private volatile PostmasterFile process;
    private final Login login;
    private final Roles roles;
    private final boolean adopted;
    private final LogLimits logs;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedPostgres(
            DataFolder folder,
            Postmaster postmaster,
            PostmasterFile process,
            Login login,
            Roles roles,
            boolean adopted,
            LogLimits logs) {
        this.folder = folder;
        this.postmaster = postmaster;
        this.process = process;
        this.login = login;
        this.roles = roles;
        this.adopted = adopted;
        this.logs = logs;
    }

    /** Returns when the server accepts connections. */
    public static EmbeddedPostgres start(EmbeddedConfig config, Progress progress) {
        return start(config, Optional.empty(), progress);
    }

    /** As {@link #start}, on the files of a base backup: returns when they are recovered and can be written to. */
    public static EmbeddedPostgres recover(EmbeddedConfig config, Recovery recovery, Progress progress) {
        return start(config, Optional.of(recovery), progress);
    }

    private static EmbeddedPostgres start(EmbeddedConfig config, Optional<Recovery> recovery, Progress progress) {
        try {
            PgHome home = home(config.cacheDir(), progress);
            if (recovery.isPresent()) {
                Recovery.prepare(config.dataDir().resolve("data"));
            }
            DataFolder folder = DataFolder.open(config.dataDir());
            try {
                return start(config, home, folder, recovery, progress);
            } catch (IOException | RuntimeException e) {
                folder.close();
                throw e;
            }
        } catch (IOException e) {
            throw new EmbeddedException(
                    "The embedded database cannot use its folders " + config.dataDir() + " and " + config.cacheDir()
                            + ": check that the disk has room and that they can be written (" + e + ").",
                    e);
        }
    }

    /** Provides PostgreSQL and pgvector without starting them; the answer is their folder. */
    public static Path provide(Path cacheDir, Progress progress) {
        try {
            return home(cacheDir, progress).root();
        } catch (IOException e) {
            throw new EmbeddedException(
                    "PostgreSQL cannot be unpacked into " + cacheDir
                            + ": check that the disk has room and that it can be written (" + e + ").",
                    e);
        }
    }

    /** A server that runs for another process, and a role that reads its state. */
    public record Running(String jdbcUrl, DatabaseRole role) {}

    /** The server of the folder, if it runs and this user may read its password; nothing is started or claimed. */
    public static Optional<Running> running(EmbeddedConfig config) {
        Path password = config.dataDir().resolve("password-" + Roles.APP);
        return PostmasterFile.read(config.dataDir().resolve("data"))
                .filter(file -> file.ready() && Processes.alive(file.pid()) && Files.isReadable(password))
                .map(file -> {
                    try {
                        var role = new DatabaseRole(
                                Roles.APP, Files.readString(password).strip());
                        return new Running(new Login(file.port(), role.password()).jdbcUrl(DATABASE), role);
                    } catch (IOException e) {
                        throw new EmbeddedException("The file " + password + " cannot be read: check who owns it.", e);
                    }
                });
    }

    /** Unpacks what is missing; without a lock when nothing is. */
    static PgHome home(Path cacheDir, Progress progress) throws IOException {
        PgHome home = Binaries.location(cacheDir);
        if (!Binaries.unpacked(home) || !Pgvector.installed(home)) {
            Folders.createReadable(cacheDir);
            var lock = FolderLock.acquire(cacheDir.resolve("lock"), CACHE_LIMIT);
            try {
                Binaries.unpack(home, cacheDir, progress);
                Pgvector.install(home, cacheDir, progress);
            } finally {
                lock.close();
            }
        }
        return home;
    }

    private static EmbeddedPostgres start(
            EmbeddedConfig config, PgHome home, DataFolder folder, Optional<Recovery> recovery, Progress progress)
            throws IOException {
        RunAs runAs = RunAs.choose(folder.ownedBy(), home);
        folder.handTo(runAs);
        var postmaster = recovery.isPresent()
                ? new Postmaster(home, folder, runAs, recovery.get())
                : new Postmaster(home, folder, runAs);
        var running = postmaster.adopt(config.durable());
        if (running.isPresent()) {
            var login = new Login(running.get().port(), folder.password());
            return withRoles(new EmbeddedPostgres(
                    folder, postmaster, running.get(), login, folder.roles(runAs), true, config.logs()));
        }
        folder.prepare(home, runAs, config, progress);
        progress.step(Progress.Step.STARTING);
        var started = postmaster.start();
        var login = new Login(started.port(), folder.password());
        if (login.ask(folder.pgdata(), false) != Login.Answer.OURS) {
            postmaster.stop(started.pid());
            throw new EmbeddedException("PostgreSQL refuses the password in " + folder.root()
                    + "/password: remove that file and start again, and a new one is set.");
        }
        return withRoles(
                new EmbeddedPostgres(folder, postmaster, started, login, folder.roles(runAs), false, config.logs()));
    }

    private static EmbeddedPostgres withRoles(EmbeddedPostgres postgres) {
        try (var connection = postgres.login.connect(DATABASE)) {
            // A standby has the roles of its primary.
            if (!Roles.isStandby(connection)) {
                postgres.roles.ensure(connection, postgres.password());
                Roles.own(connection, DATABASE);
            }
            return postgres;
        } catch (SQLException e) {
            postgres.postmaster.stop(postgres.process.pid());
            throw new EmbeddedException("The roles of the embedded database cannot be made: " + e.getMessage(), e);
        }
    }

    /** Gives a database to the role of the owner, with the rights of the others. */
    public void own(String database) throws SQLException {
        try (var connection = login.connect(database)) {
            Roles.own(connection, database);
        }
    }

    public String jdbcUrl(String database) {
        return login.jdbcUrl(database);
    }

    /** The superuser. */
    public String user() {
        return DataFolder.USER;
    }

    public String password() {
        return login.password();
    }

    /** Owns the schemas, and migrates them. */
    public DatabaseRole owner() {
        return roles.owner();
    }

    /** Serves requests: reads and writes, and owns nothing. */
    public DatabaseRole app() {
        return roles.app();
    }

    /** Reads, and nothing else. */
    public DatabaseRole reader() {
        return roles.reader();
    }

    public int port() {
        return login.port();
    }

    /** The number of the server's process. */
    public long pid() {
        return process.pid();
    }

    /** True when a running server of this data folder was taken over after its owner died. */
    public boolean adopted() {
        return adopted;
    }

    /** Holds the server's log to its room; to be called again and again, since the server only begins new files. */
    public void trimLogs() {
        try {
            folder.trimLogs(logs);
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL's log could not be cut", e);
        }
    }

    /**
     * Starts the server again, on the same port, whenever its process ends before this is closed.
     *
     * @param givenUp is run when that has failed again and again
     */
    public void keepRunning(Runnable givenUp) {
        Thread.ofVirtual().name("database watch").start(new ServerWatch(new Watched(), givenUp));
    }

    /** This server as it is watched. */
    private final class Watched implements ServerWatch.Server {
        @Override
        public boolean isClosed() {
            return closed.get();
        }

        @Override
        public boolean isAlive() {
            return Processes.alive(process.pid());
        }

        @Override
        public void restart() throws IOException {
            EmbeddedPostgres.this.restart();
        }
    }

    /** Not while this is being closed, which stops what was started. */
    private synchronized void restart() throws IOException {
        if (closed.get()) {
            return;
        }
        log.warn("PostgreSQL process {} of {} has ended and is started again", process.pid(), folder.root());
        process = postmaster.start(login.port());
        log.info("PostgreSQL of {} runs again as process {}", folder.root(), process.pid());
    }

    /** Lets go of the server without stopping it, as the death of this process would. */
    void abandon() {
        if (closed.compareAndSet(false, true)) {
            folder.close();
        }
    }

    /** Fast shutdown; returns when the server has ended. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            stop();
        }
    }

    private synchronized void stop() {
        try {
            postmaster.stop(process.pid());
        } finally {
            folder.close();
        }
    }
}
