package io.hiroba.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of one database: PostgreSQL's own folder {@code data}, and beside it the password, the lock and a mark that
 * the first start came to its end.
 */
final class DataFolder implements AutoCloseable {
    static final String USER = "hiroba";

    private static final Logger log = LoggerFactory.getLogger(DataFolder.class);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final Duration INITDB_LIMIT = Duration.ofMinutes(5);

    /** The name of PostgreSQL's own folder. */
    static final String DATA = "data";

    /** The name of one that an upgrade makes. */
    static final String NEXT = "data.upgrade";

    /** The beginning of the name of a former one, which the version that made it follows. */
    static final String FORMER = "data.former-";

    private final Path root;
    private final FolderLock lock;
    private final String data;

    private DataFolder(Path root, FolderLock lock, String data) {
        this.root = root;
        this.lock = lock;
        this.data = data;
    }

    /** The same folder with another database in it, for which the claim on this one holds too. */
    DataFolder with(String name) {
        return new DataFolder(root, lock, name);
    }

    /** The databases that upgrades have left as a way back, the oldest version first. */
    static List<Path> formers(Path root) throws IOException {
        return Folders.list(root, FORMER);
    }

    /** The major version that made a database; empty if there is none. */
    static Optional<String> major(Path pgdata) throws IOException {
        Path version = pgdata.resolve("PG_VERSION");
        return Files.exists(version) ? Optional.of(Files.readString(version).strip()) : Optional.empty();
    }

    /**
     * Puts another database in the place of this one. In the middle there is none, so it is written down first which one has the place if
     * the machine stops there.
     *
     * @param safe that one, as it is called in the middle
     * @param aside where this one goes
     */
    void exchange(Path safe, Path aside, Path next) throws IOException {
        Folders.write(exchanging(), safe.getFileName() + "\n", "rw-r--r--");
        Folders.rename(pgdata(), aside);
        Folders.rename(next, pgdata());
        Files.delete(exchanging());
    }

    private Path exchanging() {
        return root.resolve("exchanging");
    }

    /** Leaves nothing of an upgrade that was interrupted: neither a copy that is not complete, nor a server in it. */
    private void settle() throws IOException {
        deleteNext();
        if (!Files.exists(exchanging())) {
            return;
        }
        Path safe = root.resolve(Files.readString(exchanging()).strip());
        if (!Files.exists(pgdata()) && Files.isDirectory(safe)) {
            log.warn("{} gets the place of the database: an upgrade was interrupted", safe);
            Folders.rename(safe, pgdata());
        }
        Files.delete(exchanging());
    }

    /** Deletes the copy of an upgrade that did not come to its end, and ends what runs in it. */
    void deleteNext() throws IOException {
        Path next = root.resolve(NEXT);
        if (Files.isDirectory(next)) {
            Processes.startedFor(next).forEach(ProcessHandle::destroyForcibly);
            Processes.await(STOP_LIMIT, () -> Processes.startedFor(next).isEmpty());
            Folders.delete(next);
        }
        Files.deleteIfExists(with(NEXT).startLog());
    }

    /** Claims the folder for this process, making it if need be. */
    static DataFolder open(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            Files.createDirectories(root);
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
        }
        Path owner = root.resolve("owner");
        Optional<FolderLock> lock;
        try {
            lock = FolderLock.tryAcquire(root.resolve("lock"));
        } catch (AccessDeniedException e) {
            throw new EmbeddedException(
                    "The data folder " + root + " belongs to user "
                            + Files.getOwner(root).getName() + ": start Hiroba as that user or choose another folder.",
                    e);
        }
        if (lock.isEmpty()) {
            String holder = Files.exists(owner) ? Files.readString(owner).strip() : "unknown";
            throw new EmbeddedException("The data folder " + root + " is already in use by process " + holder
                    + ": stop that one or choose another folder.");
        }
        try {
            Folders.write(owner, ProcessHandle.current().pid() + "\n", "rw-r--r--");
            var folder = new DataFolder(root.toRealPath(), lock.get(), DATA);
            folder.settle();
            return folder;
        } catch (IOException e) {
            lock.get().close();
            throw e;
        }
    }

    /** The process that has claimed a folder and lives, as far as this user may know. */
    static Optional<Long> owner(Path root) throws IOException {
        Path owner = root.resolve("owner");
        Path lock = root.resolve("lock");
        if (!Files.isReadable(owner) || !Files.isWritable(lock)) {
            return Optional.empty();
        }
        long pid = Long.parseLong(Files.readString(owner).strip());
        if (!Processes.alive(pid)) {
            return Optional.empty();
        }
        // The number may be another program's by now; only who holds the claim is the owner.
        var free = FolderLock.tryAcquire(lock);
        free.ifPresent(FolderLock::close);
        return free.isPresent() ? Optional.empty() : Optional.of(pid);
    }

    Path root() {
        return root;
    }

    Path pgdata() {
        return root.resolve(data);
    }

    Path startLog() {
        return root.resolve(data.equals(DATA) ? "start.log" : "start-" + data + ".log");
    }

    /** The folder whose owner decides who serves it. */
    Path ownedBy() {
        return Files.isDirectory(pgdata()) ? pgdata() : root;
    }

    String password() throws IOException {
        return Files.readString(passwordFile()).strip();
    }

    /** The ordinary roles, with passwords that are made at first. */
    Roles roles(RunAs runAs) throws IOException {
        return new Roles(role(Roles.OWNER, runAs), role(Roles.APP, runAs), role(Roles.READER, runAs));
    }

    private DatabaseRole role(String name, RunAs runAs) throws IOException {
        Path file = root.resolve("password-" + name);
        if (!Files.exists(file)) {
            Folders.write(file, generatedPassword() + "\n", "rw-------");
            runAs.own(file);
        }
        return new DatabaseRole(name, Files.readString(file).strip());
    }

    boolean hasPassword() {
        return Files.exists(passwordFile());
    }

    /** Root's own files in somebody else's folder would lock that person out of it. */
    void handTo(RunAs runAs) throws IOException {
        runAs.own(root.resolve("lock"));
        runAs.own(root.resolve("owner"));
    }

    private Path passwordFile() {
        return root.resolve("password");
    }

    private Path mark() {
        return root.resolve("initialised");
    }

    private boolean complete() {
        return Files.exists(pgdata().resolve("global").resolve("pg_control"))
                && Files.exists(pgdata().resolve("PG_VERSION"));
    }

    /** Leaves a complete database, a password and current settings, whatever an earlier start left undone. */
    void prepare(PgHome home, RunAs runAs, EmbeddedConfig config, Progress progress) throws IOException {
        boolean newPassword = !hasPassword();
        if (newPassword) {
            Folders.write(passwordFile(), generatedPassword() + "\n", "rw-------");
            runAs.own(passwordFile());
        }
        deleteLeftovers();
        if (!complete()) {
            setUnfinishedAside();
            progress.step(Progress.Step.INITIALISING);
            initialise(home, runAs, config.durable());
        } else if (newPassword) {
            setPassword(home, runAs);
        }
        requireMajor(home);
        if (!Files.exists(mark())) {
            Folders.write(mark(), home.major() + "\n", "rw-r--r--");
            runAs.own(mark());
        }
        if (data.equals(DATA)) {
            remember(home, runAs);
        }
        writeSettings(home, runAs, config);
        trimLogs(config.logs());
    }

    private void deleteLeftovers() throws IOException {
        for (Path leftover : Folders.list(root, "data.new-")) {
            try {
                Folders.delete(leftover);
            } catch (IOException e) {
                // An initdb that outlived its parent may still write there; the next start removes the rest.
                log.debug("{} is left for the next start", leftover, e);
            }
        }
    }

    private void setUnfinishedAside() throws IOException {
        if (!Files.exists(pgdata())) {
            return;
        }
        if (Files.exists(mark())) {
            throw new EmbeddedException("The database in " + pgdata()
                    + " is damaged (global/pg_control is missing): restore the folder from a backup, or move it away to"
                    + " start with an empty database.");
        }
        Path aside = Folders.unique(root, "data.unfinished-");
        log.warn("{} holds no complete database and is moved to {}", pgdata(), aside);
        Folders.rename(pgdata(), aside);
    }

    private void initialise(PgHome home, RunAs runAs, boolean durable) throws IOException {
        Path next = Folders.unique(root, "data.new-");
        String collation = home.platform().linux() ? "--locale=C.UTF-8" : "--locale=C";
        var words = List.of(
                home.program("initdb").toString(),
                "--pgdata=" + next,
                "--username=" + USER,
                "--pwfile=" + passwordFile(),
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                collation,
                "--lc-messages=C",
                "--auth=scram-sha-256",
                "--data-checksums",
                durable ? "--sync-method=fsync" : "--no-sync");
        Command.of(runAs.command(words))
                .in(root)
                .run(INITDB_LIMIT)
                .orThrow("The database could not be initialised in " + root
                        + ": check that the disk has room and the folder can be written.");
        Path conf = next.resolve("postgresql.conf");
        Files.writeString(conf, "\ninclude_if_exists = '" + Settings.FILE + "'\n", StandardOpenOption.APPEND);
        try (var channel = FileChannel.open(conf, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Folders.sync(next);
        Folders.rename(next, pgdata());
    }

    /** Only the single-user mode lets one in without the password that was lost. */
    private void setPassword(PgHome home, RunAs runAs) throws IOException {
        var words = List.of(home.program("postgres").toString(), "--single", "-D", pgdata().toString(), "postgres");
        Command.of(runAs.command(words))
                .in(root)
                .input("ALTER ROLE " + USER + " PASSWORD '" + password() + "'\n")
                .run(INITDB_LIMIT)
                .orThrow("The file " + passwordFile() + " is missing and a new password could not be set: restore it.");
    }

    private void requireMajor(PgHome home) throws IOException {
        String major = major(pgdata()).orElse("");
        if (!major.equals(home.major())) {
            throw new EmbeddedException("The database in " + pgdata() + " was made by PostgreSQL " + major
                    + " and this is " + home.major() + ": run `hiroba upgrade-database`, or a newer Hiroba.");
        }
    }

    /** Remembers which programs serve this database: a newer version needs them once more. */
    private void remember(PgHome home, RunAs runAs) throws IOException {
        Path file = programs();
        String text = home.root() + "\n";
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Folders.write(file, text, "rw-r--r--");
            runAs.own(file);
        }
    }

    Path programs() {
        return root.resolve("programs");
    }

    private void writeSettings(PgHome home, RunAs runAs, EmbeddedConfig config) throws IOException {
        Path file = pgdata().resolve(Settings.FILE);
        String text = Settings.text(home, config.durable(), config.logs());
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Folders.write(file, text, "rw-------");
            runAs.own(file);
        }
    }

    /** Deletes the oldest files of the log, and empties what the server says before its log is open and after it is closed. */
    void trimLogs(LogLimits limits) throws IOException {
        var logs = Folders.list(pgdata().resolve("log"), "postgresql-");
        for (Path old : logs.subList(0, Math.max(0, logs.size() - limits.files()))) {
            Files.deleteIfExists(old);
        }
        if (Files.exists(startLog()) && Files.size(startLog()) > limits.fileSize()) {
            Folders.empty(startLog());
        }
    }

    private static String generatedPassword() {
        var bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public void close() {
        lock.close();
    }
}
