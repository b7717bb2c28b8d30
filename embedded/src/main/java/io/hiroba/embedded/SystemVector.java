package io.hiroba.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A pgvector that is installed for the system's own PostgreSQL of the same major version. */
final class SystemVector implements VectorSource {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final PgHome home;

    SystemVector(PgHome home) {
        this.home = home;
    }

    @Override
    public String name() {
        return "the system";
    }

    @Override
    public Optional<VectorFiles> find() {
        return places().stream()
                .filter(VectorFiles::complete)
                .filter(files -> VectorFiles.BY_NUMBERS.compare(files.version(), Pgvector.VERSION) >= 0)
                .findFirst();
    }

    private List<VectorFiles> places() {
        var places = new ArrayList<VectorFiles>();
        String major = home.major();
        places.add(at("/usr/lib/postgresql/" + major + "/lib", "/usr/share/postgresql/" + major));
        places.add(at("/usr/pgsql-" + major + "/lib", "/usr/pgsql-" + major + "/share"));
        for (String brew : List.of("/opt/homebrew/opt", "/usr/local/opt")) {
            configured(Path.of(brew, "postgresql@" + major, "bin", "pg_config")).ifPresent(places::add);
        }
        Command.find("pg_config").flatMap(this::configured).ifPresent(places::add);
        return places;
    }

    private VectorFiles at(String libraries, String share) {
        return new VectorFiles(Path.of(libraries), Path.of(share, "extension"), home.platform());
    }

    private Optional<VectorFiles> configured(Path pgConfig) {
        if (!Files.isExecutable(pgConfig)
                || !ask(pgConfig, "--version").startsWith("PostgreSQL " + home.major() + ".")) {
            return Optional.empty();
        }
        return Optional.of(at(ask(pgConfig, "--pkglibdir"), ask(pgConfig, "--sharedir")));
    }

    private static String ask(Path pgConfig, String what) {
        return Command.of(pgConfig.toString(), what).run(LIMIT).output().strip();
    }
}
