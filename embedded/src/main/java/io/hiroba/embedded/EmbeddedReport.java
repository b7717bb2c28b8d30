package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A report of what the embedded database has and lacks on this machine, made without changing anything. */
public record EmbeddedReport(List<Line> lines) {
    public EmbeddedReport {
        lines = List.copyOf(lines);
    }

    /** The state of a part of the database. */
    public enum State {
        /** It is there. */
        READY,
        /** It is not there yet; the next start provides it. */
        POSSIBLE,
        /** It is not there and cannot be provided before somebody mends it. */
        MISSING
    }

    /**
     * One part of the database.
     *
     * @param mend what to do, empty unless the part is missing
     */
    public record Line(String what, State state, String detail, String mend) {}

    public static EmbeddedReport inspect(EmbeddedConfig config) {
        try {
            PgHome home = Binaries.location(config.cacheDir());
            return new EmbeddedReport(
                    List.of(binaries(home), pgvector(home, config.cacheDir()), identity(), database(config.dataDir())));
        } catch (EmbeddedException | IOException e) {
            String mend = "set HIROBA_DATABASE_URL to a PostgreSQL 16 or newer with pgvector";
            return new EmbeddedReport(
                    List.of(new Line("PostgreSQL", State.MISSING, String.valueOf(e.getMessage()), mend)));
        }
    }

    /** Whether a start can succeed. */
    public boolean usable() {
        return lines.stream().noneMatch(line -> line.state() == State.MISSING);
    }

    public String text() {
        return lines.stream()
                .map(line -> String.format(
                        Locale.ROOT,
                        "%-8s  %-10s  %s%s",
                        line.state().name().toLowerCase(Locale.ROOT),
                        line.what(),
                        line.detail(),
                        line.mend().isEmpty() ? "" : "; to mend: " + line.mend()))
                .collect(Collectors.joining("\n"));
    }

    private static Line binaries(PgHome home) {
        String what = "PostgreSQL";
        if (Binaries.unpacked(home)) {
            return new Line(what, State.READY, home.version() + " in " + home.root(), "");
        }
        boolean shipped = EmbeddedReport.class.getResource("/" + home.platform().archive()) != null;
        return shipped
                ? new Line(what, State.POSSIBLE, home.version() + " is unpacked at the next start", "")
                : new Line(
                        what,
                        State.MISSING,
                        "no binaries for " + home.platform(),
                        "build Hiroba on this machine, or set HIROBA_DATABASE_URL");
    }

    private static Line pgvector(PgHome home, Path cacheDir) throws IOException {
        String what = "pgvector";
        if (Pgvector.installed(home)) {
            String version = new VectorFiles(home.libraries(), home.extensions(), home.platform()).version();
            return new Line(what, State.READY, version + " is installed", "");
        }
        if (!Pgvector.cached(home, cacheDir).isEmpty()) {
            return new Line(what, State.READY, "is in the cache", "");
        }
        if (new SystemVector(home).find().isPresent()) {
            return new Line(what, State.POSSIBLE, "is taken from the system at the next start", "");
        }
        boolean archive = new DebianArchive(cacheDir).available();
        var compiler = VectorBuild.compiler();
        if (archive && compiler.isPresent()) {
            return new Line(
                    what, State.POSSIBLE, "is fetched from the Debian archive, or built by " + compiler.get(), "");
        }
        return new Line(
                what,
                State.MISSING,
                archive ? "no C compiler is found" : "no Debian archive is configured in apt",
                Pgvector.remedy(home.platform()));
    }

    private static Line identity() {
        String what = "identity";
        if (RunAs.currentUid() != 0) {
            return new Line(what, State.READY, "PostgreSQL runs as " + System.getProperty("user.name"), "");
        }
        if (Command.of("unshare", "-U", "true").run(Duration.ofSeconds(10)).succeeded()) {
            return new Line(what, State.READY, "root, PostgreSQL runs in a user namespace", "");
        }
        return Command.find("setpriv").or(() -> Command.find("runuser")).isPresent()
                ? new Line(what, State.READY, "root, PostgreSQL runs as a system user", "")
                : new Line(what, State.MISSING, "PostgreSQL does not run as root", "start Hiroba as a normal user");
    }

    private static Line database(Path dataDir) {
        String what = "database";
        Path pgdata = dataDir.resolve("data");
        if (!Files.isDirectory(pgdata)) {
            return Files.isDirectory(dataDir) && !Files.isWritable(dataDir)
                    ? new Line(what, State.MISSING, dataDir + " cannot be written", "choose another data folder")
                    : new Line(what, State.POSSIBLE, "is made in " + dataDir + " at the next start", "");
        }
        if (!Files.isReadable(pgdata)) {
            return new Line(what, State.MISSING, dataDir + " belongs to somebody else", "start Hiroba as its owner");
        }
        String running = PostmasterFile.read(pgdata)
                .filter(file -> Processes.alive(file.pid()))
                .map(file -> ", running as process " + file.pid() + " on port " + file.port())
                .orElse(", not running");
        return new Line(what, State.READY, "in " + dataDir + running, "");
    }
}
