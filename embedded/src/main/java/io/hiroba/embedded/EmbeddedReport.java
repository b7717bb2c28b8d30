package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A report of what the embedded database has and lacks on this machine, made without changing anything. */
public record EmbeddedReport(List<Line> lines) {
    public EmbeddedReport {
        lines = List.copyOf(lines);
    }

    /** The state of a part of the database. */
    public enum State {
        /** It is there. */
        READY,
        /** It is there, but not as it should be. */
        ATTENTION,
        /** It is not there yet; the next start provides it. */
        POSSIBLE,
        /** It is not there and cannot be provided before somebody mends it. */
        MISSING
    }

    /** The result of looking at a part. The program that embeds the database has the words for it. */
    public enum Finding {
        UNPACKED,
        TO_UNPACK,
        NO_BINARIES,
        INSTALLED,
        CACHED,
        ON_SYSTEM,
        TO_FETCH,
        NEEDS_HOMEBREW,
        NEEDS_PACKAGES,
        NEEDS_COMPILER,
        NEEDS_ARCHIVE,
        RUNS_AS_USER,
        RUNS_IN_NAMESPACE,
        RUNS_AS_SYSTEM_USER,
        NOT_AS_ROOT,
        TO_MAKE,
        NOT_WRITABLE,
        NOT_READABLE,
        STOPPED,
        ENDED,
        RUNNING,
        OTHER_VERSION,
        UNUSABLE
    }

    /** A part of the database that is looked at. */
    public enum Part {
        POSTGRESQL,
        PGVECTOR,
        IDENTITY,
        DATABASE
    }

    /**
     * One part of the database.
     *
     * @param values what the words of the finding name, such as a version or a folder
     */
    public record Line(Part part, State state, Finding finding, Map<String, String> values) {
        public Line {
            values = Map.copyOf(values);
        }
    }

    public static EmbeddedReport inspect(EmbeddedConfig config) {
        try {
            PgHome home = Binaries.location(config.cacheDir());
            return new EmbeddedReport(List.of(
                    binaries(home), pgvector(home, config.cacheDir()), identity(), database(home, config.dataDir())));
        } catch (EmbeddedException | IOException e) {
            Map<String, String> reason = Map.of("reason", String.valueOf(e.getMessage()));
            return new EmbeddedReport(List.of(new Line(Part.POSTGRESQL, State.MISSING, Finding.UNUSABLE, reason)));
        }
    }

    /** Whether a start can succeed, and what has been started runs. */
    public boolean usable() {
        return lines.stream().noneMatch(line -> line.state() == State.MISSING || line.state() == State.ATTENTION);
    }

    private static Line binaries(PgHome home) {
        if (Binaries.unpacked(home)) {
            Map<String, String> place =
                    Map.of("version", home.version(), "folder", home.root().toString());
            return new Line(Part.POSTGRESQL, State.READY, Finding.UNPACKED, place);
        }
        boolean shipped = EmbeddedReport.class.getResource("/" + home.platform().archive()) != null;
        return shipped
                ? new Line(Part.POSTGRESQL, State.POSSIBLE, Finding.TO_UNPACK, Map.of("version", home.version()))
                : new Line(
                        Part.POSTGRESQL,
                        State.MISSING,
                        Finding.NO_BINARIES,
                        Map.of("platform", home.platform().toString()));
    }

    private static Line pgvector(PgHome home, Path cacheDir) throws IOException {
        if (Pgvector.installed(home)) {
            String version = new VectorFiles(home.libraries(), home.extensions(), home.platform()).version();
            return new Line(Part.PGVECTOR, State.READY, Finding.INSTALLED, Map.of("version", version));
        }
        if (!Pgvector.cached(home, cacheDir).isEmpty()) {
            return new Line(Part.PGVECTOR, State.READY, Finding.CACHED, Map.of());
        }
        if (new SystemVector(home).find().isPresent()) {
            return new Line(Part.PGVECTOR, State.POSSIBLE, Finding.ON_SYSTEM, Map.of());
        }
        var compiler = VectorBuild.compiler();
        if (new DebianArchive(cacheDir).available() && compiler.isPresent()) {
            Map<String, String> by = Map.of("compiler", compiler.get().toString());
            return new Line(Part.PGVECTOR, State.POSSIBLE, Finding.TO_FETCH, by);
        }
        Map<String, String> names = Map.of("package", Pgvector.PACKAGE);
        return new Line(Part.PGVECTOR, State.MISSING, lacking(home.platform(), compiler.isPresent()), names);
    }

    private static Finding lacking(Platform platform, boolean compiler) {
        if (!platform.linux()) {
            return Finding.NEEDS_HOMEBREW;
        }
        if (Command.find("apt-get").isEmpty()) {
            return Finding.NEEDS_PACKAGES;
        }
        return compiler ? Finding.NEEDS_ARCHIVE : Finding.NEEDS_COMPILER;
    }

    private static Line identity() {
        if (RunAs.currentUid() != 0) {
            Map<String, String> user = Map.of("user", System.getProperty("user.name", ""));
            return new Line(Part.IDENTITY, State.READY, Finding.RUNS_AS_USER, user);
        }
        if (Command.of("unshare", "-U", "true").run(Duration.ofSeconds(10)).succeeded()) {
            return new Line(Part.IDENTITY, State.READY, Finding.RUNS_IN_NAMESPACE, Map.of());
        }
        return Command.find("setpriv").or(() -> Command.find("runuser")).isPresent()
                ? new Line(Part.IDENTITY, State.READY, Finding.RUNS_AS_SYSTEM_USER, Map.of())
                : new Line(Part.IDENTITY, State.MISSING, Finding.NOT_AS_ROOT, Map.of());
    }

    private static Line database(PgHome home, Path dataDir) throws IOException {
        Path pgdata = dataDir.resolve("data");
        Map<String, String> folder = Map.of("folder", dataDir.toString());
        if (!Files.isDirectory(pgdata)) {
            return Files.isDirectory(dataDir) && !Files.isWritable(dataDir)
                    ? new Line(Part.DATABASE, State.MISSING, Finding.NOT_WRITABLE, folder)
                    : new Line(Part.DATABASE, State.POSSIBLE, Finding.TO_MAKE, folder);
        }
        if (!Files.isReadable(pgdata)) {
            return new Line(Part.DATABASE, State.MISSING, Finding.NOT_READABLE, folder);
        }
        String major = DataFolder.major(pgdata).orElse(home.major());
        if (!major.equals(home.major())) {
            Map<String, String> versions = Map.of("folder", dataDir.toString(), "version", major, "own", home.major());
            return new Line(Part.DATABASE, State.MISSING, Finding.OTHER_VERSION, versions);
        }
        var owner = DataFolder.owner(dataDir);
        return PostmasterFile.read(pgdata)
                .filter(file -> Processes.alive(file.pid()))
                .map(file -> new Line(
                        Part.DATABASE,
                        State.READY,
                        Finding.RUNNING,
                        Map.of(
                                "folder",
                                dataDir.toString(),
                                "pid",
                                Long.toString(file.pid()),
                                "port",
                                Integer.toString(file.port()))))
                .or(() -> owner.map(pid -> new Line(
                        Part.DATABASE,
                        State.ATTENTION,
                        Finding.ENDED,
                        Map.of("folder", dataDir.toString(), "pid", Long.toString(pid)))))
                .orElseGet(() -> new Line(Part.DATABASE, State.READY, Finding.STOPPED, folder));
    }
}
