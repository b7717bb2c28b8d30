package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * An upgrade of a folder's database to the PostgreSQL of this program: both servers run side by side while its content is transferred, and
 * only then the folders change places. The former database stays beside the new one as the way back.
 *
 * <p>Whatever is interrupted leaves the former database in its place: a start, or another upgrade, goes on from there.
 */
public final class MajorUpgrade {
    private static final String NEWER = "data.newer-";
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)\\.(\\d+)");
    private static final List<String> RULES = List.of("pg_hba.conf", "pg_ident.conf");

    private final EmbeddedConfig config;
    private final DataFolder folder;
    private final Progress progress;

    private MajorUpgrade(EmbeddedConfig config, DataFolder folder, Progress progress) {
        this.config = config;
        this.folder = folder;
        this.progress = progress;
    }

    /** Copies everything from one server to another, empty one, or throws. */
    @FunctionalInterface
    public interface Transfer {
        void run(Server from, Server to) throws IOException, SQLException;
    }

    /** Called right before the databases change places: nobody else uses the folder then, and no server runs in it. */
    @FunctionalInterface
    public interface ExchangeListener {
        void beforeExchange() throws IOException;
    }

    /**
     * One of the two servers.
     *
     * @param owner of the schemas
     */
    public record Server(String version, String jdbcUrl, String password, DatabaseRole owner) {

        /** A connection of the superuser, for statements that may take any time. */
        public Connection connect() throws SQLException {
            var properties = new Properties();
            properties.setProperty("user", DataFolder.USER);
            properties.setProperty("password", password);
            properties.setProperty("socketTimeout", "0");
            properties.setProperty(
                    "options",
                    "-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 -c idle_session_timeout=0");
            return DriverManager.getConnection(jdbcUrl, properties);
        }

        @Override
        public String toString() {
            return version;
        }
    }

    /** The major version that made the database of a folder; empty if there is none. */
    public static Optional<String> major(EmbeddedConfig config) {
        try {
            Path root = config.dataDir();
            var major = DataFolder.major(root.resolve(DataFolder.DATA));
            if (major.isPresent()) {
                return major;
            }
            var formers = DataFolder.formers(root);
            return formers.isEmpty() ? Optional.empty() : DataFolder.major(formers.getLast());
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    /** The major version of this program's PostgreSQL. */
    public static String ownMajor(EmbeddedConfig config) {
        return Binaries.location(config.cacheDir()).major();
    }

    /** Whether the disk has room for the database once more, if what an interrupted upgrade has left is removed. */
    public static boolean hasRoom(EmbeddedConfig config) {
        try {
            Path root = config.dataDir();
            long room = Files.getFileStore(root).getUsableSpace() + Folders.size(root.resolve(DataFolder.NEXT));
            return room >= Folders.size(root.resolve(DataFolder.DATA));
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    private static EmbeddedException unusable(EmbeddedConfig config, IOException e) {
        return new EmbeddedException(
                "The database in " + config.dataDir()
                        + " cannot be upgraded: check that the disk has room and that it can be written (" + e + ").",
                e);
    }

    /**
     * The folder of a PostgreSQL of some major version: the one that is named, that served the database last, or that lies in the cache.
     * The folder's owner wrote down which one served it, so root runs that one only if nobody else could have made it.
     */
    public static Optional<Path> programs(EmbeddedConfig config, String major, Optional<Path> named) {
        try {
            var candidates = new ArrayList<Path>();
            if (named.isPresent()) {
                candidates.add(named.get());
                candidates.add(named.get().resolve("pgsql"));
            } else {
                Path remembered = config.dataDir().resolve("programs");
                if (Files.isReadable(remembered)) {
                    RunAs.trusted(Path.of(Files.readString(remembered).strip())).ifPresent(candidates::add);
                }
                candidates.addAll(Folders.list(config.cacheDir(), "postgresql-" + major + ".")
                        .reversed());
            }
            return candidates.stream()
                    .filter(each -> version(each).startsWith(major + "."))
                    .findFirst();
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    private static String version(Path root) {
        Path postgres = root.resolve("bin").resolve("postgres");
        if (!Files.isExecutable(postgres)) {
            return "";
        }
        var answer = VERSION.matcher(
                Command.of(postgres.toString(), "--version").run(LIMIT).output());
        return answer.find() ? answer.group(1) + "." + answer.group(2) : "";
    }

    /**
     * Upgrades the database of a folder. Nobody else may use it meanwhile.
     *
     * @param programs the folder of the PostgreSQL that made it
     * @param listener called once the new database is complete
     * @return the folder of the former database
     */
    public static Path run(
            EmbeddedConfig config, Path programs, Transfer transfer, ExchangeListener listener, Progress progress)
            throws SQLException {
        try (var folder = DataFolder.open(config.dataDir())) {
            return new MajorUpgrade(config, folder, progress).run(programs, transfer, listener);
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    private Path run(Path programs, Transfer transfer, ExchangeListener listener) throws IOException, SQLException {
        PgHome own = EmbeddedPostgres.home(config.cacheDir(), progress);
        var old = new PgHome(programs.toRealPath(), version(programs), own.platform());
        String major = DataFolder.major(folder.pgdata()).orElse("");
        Path former = folder.root().resolve(DataFolder.FORMER + major);
        if (Files.exists(former)) {
            throw new EmbeddedException("The database of a former upgrade is still in " + former
                    + ": remove it with `hiroba upgrade-database --finish`, or move it away.");
        }
        RunAs runAs = RunAs.choose(folder.ownedBy(), old);
        folder.handTo(runAs);
        var next = folder.with(DataFolder.NEXT);
        progress.step(Progress.Step.STARTING);
        var postmaster = Postmaster.readOnly(old, folder, runAs);
        var orphan = postmaster.adopt(false);
        if (orphan.isPresent()) {
            postmaster.stop(orphan.get().pid());
        }
        var running = postmaster.start();
        try {
            var from = server(running, old, runAs);
            copy(own, next, runAs, from, transfer);
        } catch (IOException | SQLException | RuntimeException e) {
            discardNext(e);
            throw e;
        } finally {
            postmaster.stop(running.pid());
        }
        Files.deleteIfExists(next.startLog());
        Folders.flush(next.pgdata());
        listener.beforeExchange();
        exchange(former, next.pgdata(), runAs, own);
        return former;
    }

    /** A copy that is of no use would take the room of the next one. */
    private void discardNext(Exception failure) {
        try {
            folder.deleteNext();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private Server server(PostmasterFile running, PgHome home, RunAs runAs) throws IOException {
        var login = new Login(running.port(), folder.password());
        return new Server(
                home.version(),
                login.jdbcUrl("postgres"),
                login.password(),
                folder.roles(runAs).owner());
    }

    /** Without waiting for the disk: what is interrupted is begun anew, and all of it is written at the end. */
    private void copy(PgHome own, DataFolder next, RunAs runAs, Server from, Transfer transfer)
            throws IOException, SQLException {
        var quick = new EmbeddedConfig(config.dataDir(), config.cacheDir(), false, config.logs());
        next.prepare(own, runAs, quick, progress);
        progress.step(Progress.Step.STARTING);
        var postmaster = new Postmaster(own, next, runAs);
        var running = postmaster.start();
        try {
            var to = server(running, own, runAs);
            try (var connection = to.connect()) {
                folder.roles(runAs).ensure(connection, folder.password());
                Roles.own(connection, "postgres");
            }
            transfer.run(from, to);
        } finally {
            postmaster.stop(running.pid());
        }
        for (String rules : RULES) {
            Path copy = next.pgdata().resolve(rules);
            Files.delete(copy);
            Folders.copy(folder.pgdata().resolve(rules), copy, "rw-------");
            runAs.own(copy);
        }
        // With the promises of a database that is used, and once as it will be used: after the exchange it would be
        // late to see.
        next.prepare(own, runAs, config, progress);
        var trial = postmaster.start();
        postmaster.stop(trial.pid());
    }

    private void exchange(Path former, Path next, RunAs runAs, PgHome own) throws IOException {
        folder.exchange(former, former, next);
        folder.prepare(own, runAs, config, progress);
    }

    /**
     * Puts the former database back in its place, as it was before the upgrade. What was written since stays beside it.
     *
     * @param listener called once no server runs
     * @return the folder of the newer database
     */
    public static Path undo(EmbeddedConfig config, ExchangeListener listener) {
        try (var folder = DataFolder.open(config.dataDir())) {
            var formers = DataFolder.formers(folder.root());
            if (formers.isEmpty()) {
                throw nothingFormer(config);
            }
            PgHome own = EmbeddedPostgres.home(config.cacheDir(), step -> {});
            var postmaster = new Postmaster(own, folder, RunAs.choose(folder.ownedBy(), own));
            var running = postmaster.adopt(false);
            if (running.isPresent()) {
                postmaster.stop(running.get().pid());
            }
            Path newer = Folders.unique(
                    folder.root(), NEWER + DataFolder.major(folder.pgdata()).orElse("") + "-");
            listener.beforeExchange();
            folder.exchange(formers.getLast(), newer, formers.getLast());
            return newer;
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    /** Removes what upgrades have left: the way back, and what was written before somebody went back. */
    public static void finish(EmbeddedConfig config) {
        try (var folder = DataFolder.open(config.dataDir())) {
            var left = new ArrayList<>(DataFolder.formers(folder.root()));
            left.addAll(Folders.list(folder.root(), NEWER));
            if (left.isEmpty()) {
                throw nothingFormer(config);
            }
            for (Path each : left) {
                // Half of one must not be taken for a way back: the next start removes what is left under this name.
                Path removed = Folders.unique(folder.root(), "data.new-");
                Folders.rename(each, removed);
                Folders.delete(removed);
            }
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    private static EmbeddedException nothingFormer(EmbeddedConfig config) {
        return new EmbeddedException("There is no database of a former upgrade in " + config.dataDir() + ".");
    }
}
