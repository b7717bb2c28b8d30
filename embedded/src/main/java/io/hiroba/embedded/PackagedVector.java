package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The ready-made package of the Debian archive, unpacked but not installed; it fits where the C library is new enough. */
final class PackagedVector implements VectorSource {
    private final PgHome home;
    private final DebianArchive archive;
    private final Path work;

    PackagedVector(PgHome home, DebianArchive archive, Path work) {
        this.home = home;
        this.archive = archive;
        this.work = work;
    }

    @Override
    public String name() {
        return "the package " + Pgvector.PACKAGE;
    }

    @Override
    public Optional<VectorFiles> find() throws IOException {
        if (!archive.available()) {
            return Optional.empty();
        }
        Path unpacked = archive.unpackedPackage(Pgvector.PACKAGE, work.resolve("package"));
        String major = home.major();
        var files = new VectorFiles(
                unpacked.resolve("usr/lib/postgresql/" + major + "/lib"),
                unpacked.resolve("usr/share/postgresql/" + major + "/extension"),
                home.platform());
        if (!files.complete()) {
            throw new EmbeddedException("it holds no pgvector for PostgreSQL " + major);
        }
        String needed = files.neededGlibc().orElse("0");
        if (VectorFiles.BY_NUMBERS.compare(needed, glibc()) > 0) {
            throw new EmbeddedException("it needs glibc " + needed + " and this system has " + glibc());
        }
        return Optional.of(files);
    }

    private static String glibc() {
        String answer = Command.of("getconf", "GNU_LIBC_VERSION")
                .run(Duration.ofSeconds(10))
                .output()
                .strip();
        return answer.startsWith("glibc ") ? answer.substring("glibc ".length()) : "0";
    }
}
