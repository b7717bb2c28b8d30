package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The extension pgvector for the unpacked PostgreSQL: from the cache, from the system, ready-made from the Debian
 * archive, or built from its source.
 */
public final class Pgvector {
    /** The version that is built; an installed one may be newer. */
    public static final String VERSION = "0.8.0";

    static final String PACKAGE = "postgresql-17-pgvector";

    private static final Logger log = LoggerFactory.getLogger(Pgvector.class);
    private static final Duration PROOF_LIMIT = Duration.ofMinutes(2);

    private Pgvector() {}

    static boolean installed(PgHome home) {
        return Files.exists(home.module("vector"))
                && Files.exists(home.extensions().resolve("vector.control"));
    }

    /** The cached builds that fit this PostgreSQL, the newest last. */
    static List<VectorFiles> cached(PgHome home, Path cacheDir) throws IOException {
        return Folders.list(cacheDir, "pgvector-").stream()
                .filter(folder -> folder.getFileName().toString().endsWith(key(home)))
                .map(folder -> new VectorFiles(folder, folder, home.platform()))
                .filter(VectorFiles::complete)
                .sorted(Comparator.comparing(VectorFiles::version, VectorFiles.BY_NUMBERS))
                .toList();
    }

    private static String key(PgHome home) {
        return "-postgresql-" + home.version() + "-" + home.platform();
    }

    /** Makes {@code CREATE EXTENSION vector} possible; the caller holds the cache's lock. */
    static void install(PgHome home, Path cacheDir, Progress progress) throws IOException {
        if (installed(home)) {
            return;
        }
        var cached = cached(home, cacheDir);
        VectorFiles files = cached.isEmpty() ? acquire(home, cacheDir, progress) : cached.getLast();
        files.copyTo(home.libraries(), home.extensions());
    }

    private static VectorFiles acquire(PgHome home, Path cacheDir, Progress progress) throws IOException {
        Folders.deleteLeftovers(cacheDir, ".pgvector-");
        Path work = Folders.createReadable(Folders.unique(cacheDir, ".pgvector-"));
        try {
            var failures = new ArrayList<String>();
            for (VectorSource source : VectorSource.all(home, work, progress)) {
                try {
                    Optional<VectorFiles> found = source.find();
                    if (found.isPresent()) {
                        prove(found.get(), home, work);
                        log.info("pgvector {} comes from {}", found.get().version(), source.name());
                        return keep(found.get(), home, cacheDir);
                    }
                } catch (EmbeddedException e) {
                    failures.add(source.name() + ": " + e.getMessage());
                }
            }
            throw new EmbeddedException(mend(home.platform(), failures));
        } finally {
            Folders.delete(work);
        }
    }

    /** Loads the module into a throw-away database: only that shows that it fits this PostgreSQL and this system. */
    private static void prove(VectorFiles files, PgHome home, Path work) throws IOException {
        Path stage = Folders.createReadable(Folders.unique(work, "proof-"));
        RunAs runAs = RunAs.choose(stage, home);
        Path pgdata = stage.resolve("data");
        Command.of(runAs.command(
                        List.of(home.program("initdb").toString(), "--pgdata=" + pgdata, "--no-sync", "--locale=C")))
                .in(stage)
                .run(PROOF_LIMIT)
                .orThrow("The unpacked PostgreSQL does not run here: set HIROBA_DATABASE_URL instead");
        Path module = Folders.createReadable(stage.resolve("lib"))
                .resolve(files.module().getFileName());
        Folders.copy(files.module(), module, "rwxr-xr-x");
        Command.of(runAs.command(List.of(
                        home.program("postgres").toString(),
                        "--single",
                        "-D",
                        pgdata.toString(),
                        "-c",
                        "dynamic_library_path=" + stage.resolve("lib") + ":$libdir",
                        "-c",
                        "shared_preload_libraries=vector",
                        "postgres")))
                .in(stage)
                .run(PROOF_LIMIT)
                .orThrow("it does not load into PostgreSQL " + home.version());
    }

    private static VectorFiles keep(VectorFiles files, PgHome home, Path cacheDir) throws IOException {
        Path next = Folders.createReadable(Folders.unique(cacheDir, ".pgvector-"));
        files.copyTo(next, next);
        Folders.flush(next);
        Path kept = cacheDir.resolve("pgvector-" + files.version() + key(home));
        Folders.delete(kept);
        Folders.rename(next, kept);
        return new VectorFiles(kept, kept, home.platform());
    }

    static String mend(Platform platform, List<String> failures) {
        return "pgvector " + VERSION + " is missing and could not be had: " + remedy(platform)
                + (failures.isEmpty() ? "." : " (tried " + String.join("; ", failures) + ").");
    }

    static String remedy(Platform platform) {
        String install;
        if (!platform.linux()) {
            install = "install pgvector for PostgreSQL 17 (for example with Homebrew: postgresql@17 and pgvector)";
        } else if (Command.find("apt-get").isEmpty()) {
            install = "install pgvector for PostgreSQL 17 with the system's packages";
        } else if (VectorBuild.compiler().isEmpty()) {
            install = "install the packages gcc and libc6-dev, or " + PACKAGE;
        } else {
            install = "install the package " + PACKAGE + ", or gcc, libc6-dev and a current debian-archive-keyring with"
                    + " the Debian archive in reach";
        }
        return install + ", or set HIROBA_DATABASE_URL to a PostgreSQL that has it";
    }
}
