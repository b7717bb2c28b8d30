package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Programs of a package of Debian 13, unpacked but not installed, with every library that they are linked with, the C library
 * and its loader too: they run on any Linux of the same processor, also where the C library is an older one.
 *
 * <p>{@code bin} has what is called, which has the loader start the program of the same name in {@code programs}; {@code licenses}
 * has the terms of each package.
 */
public final class DebianPrograms {
    /** PostgreSQL's client programs, of the same major version as the embedded server. */
    private static final String CLIENT = "postgresql-client-17";

    /** What an operator needs: a shell, dumps and copies and their way back, checks and care. */
    private static final List<String> OF_CLIENT = List.of(
            "psql",
            "pg_dump",
            "pg_dumpall",
            "pg_restore",
            "pg_basebackup",
            "pg_verifybackup",
            "pg_amcheck",
            "pg_isready",
            "vacuumdb",
            "reindexdb");

    private static final String EXECUTABLE = "rwxr-xr-x";
    private static final String LOADER = "loader";
    private static final Duration LOCK_LIMIT = Duration.ofMinutes(10);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** A library and its file, in a line of the loader. */
    private static final Pattern LIBRARY = Pattern.compile("(?m)^\\s*(\\S+) => (/\\S+)");

    private static final String CALLED = """
            #!/bin/sh
            here=$(dirname "$(readlink -f "$0")")/..
            exec "$here/lib/%s" --argv0 "$0" --library-path "$here/lib" "$here/programs/${0##*/}" "$@"
            """.formatted(LOADER);

    private DebianPrograms() {}

    /** PostgreSQL's client programs; the answer is the folder with {@code bin}. They are fetched once. */
    public static Path postgresqlClient(Path cacheDir, Progress progress) {
        return provide(cacheDir, CLIENT, OF_CLIENT, progress);
    }

    /** Programs of a package, fetched once into the cache; the answer is the folder with {@code bin}. */
    public static Path provide(Path cacheDir, String name, List<String> programs, Progress progress) {
        Path folder = cacheDir.resolve(name + "-" + Platform.current());
        if (Files.isDirectory(folder)) {
            return folder;
        }
        try {
            Folders.createReadable(cacheDir);
            var lock = FolderLock.acquire(cacheDir.resolve("lock"), LOCK_LIMIT);
            try {
                if (!Files.isDirectory(folder)) {
                    progress.step(Progress.Step.FETCHING);
                    fetch(cacheDir, name, programs, folder);
                }
            } finally {
                lock.close();
            }
            return folder;
        } catch (IOException e) {
            throw new EmbeddedException(
                    "The programs of the package " + name + " cannot be unpacked into " + cacheDir
                            + ": check that the disk has room and that it can be written (" + e + ").",
                    e);
        }
    }

    private static void fetch(Path cacheDir, String name, List<String> programs, Path folder) throws IOException {
        Folders.deleteLeftovers(cacheDir, ".programs-");
        Path work = Folders.createReadable(Folders.unique(cacheDir, ".programs-"));
        try {
            var archive = new DebianArchive(work.resolve("apt"));
            if (!archive.available()) {
                throw new EmbeddedException(
                        "apt-get and dpkg-deb, which fetch the package " + name + ", are not here, or know no mirror.");
            }
            Path unpacked = archive.unpackedWithLibraries(name, work.resolve("unpacked"));
            Path made = Folders.createReadable(work.resolve("made"));
            for (String part : List.of("bin", "lib", "programs", "licenses")) {
                Folders.createReadable(made.resolve(part));
            }
            Path loader = only(unpacked, "usr/lib/*-linux-gnu/ld-linux-*.so.*");
            Folders.copy(loader, made.resolve("lib").resolve(LOADER), EXECUTABLE);
            for (String program : programs) {
                place(only(unpacked, "usr/{bin,lib/postgresql/*/bin}/" + program), loader, made);
            }
            for (Path documents : Folders.list(unpacked.resolve("usr/share/doc"), "")) {
                Path licence = documents.resolve("copyright");
                if (Files.isRegularFile(licence)) {
                    Folders.copy(licence, made.resolve("licenses").resolve(documents.getFileName()), "rw-r--r--");
                }
            }
            Folders.flush(made);
            Folders.rename(made, folder);
        } finally {
            Folders.delete(work);
        }
    }

    private static void place(Path program, Path loader, Path made) throws IOException {
        Path libraries = loader.resolveSibling(".").normalize();
        var needed = Command.of(loader.toString(), "--library-path", libraries.toString(), "--list", program.toString())
                .run(LIMIT)
                .orThrow(program.getFileName() + " does not run here");
        for (var match : LIBRARY.matcher(needed.output()).results().toList()) {
            Path file = Path.of(match.group(2));
            Path target = made.resolve("lib").resolve(match.group(1));
            if (!file.startsWith(libraries)) {
                throw new EmbeddedException("a library of " + program.getFileName() + " is in no package: " + file);
            }
            if (!Files.exists(target)) {
                Folders.copy(file, target, "rw-r--r--");
            }
        }
        String name = program.getFileName().toString();
        Folders.copy(program, made.resolve("programs").resolve(name), EXECUTABLE);
        Folders.write(made.resolve("bin").resolve(name), CALLED, EXECUTABLE);
        Command.of(made.resolve("bin").resolve(name).toString(), "--version")
                .run(LIMIT)
                .orThrow(name + " does not run here");
    }

    /** The file that a pattern names below a folder. */
    private static Path only(Path folder, String pattern) throws IOException {
        var matcher = folder.getFileSystem().getPathMatcher("glob:" + pattern);
        try (var files = Files.walk(folder)) {
            return files.filter(file -> matcher.matches(folder.relativize(file)))
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow(() -> new EmbeddedException("the packages hold no " + pattern));
        }
    }
}
