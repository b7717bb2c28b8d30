package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** pgvector compiled here, from the source package and the server's headers of the Debian archive. */
final class VectorBuild implements VectorSource {
    /** Of the upstream release, which the archive's own signatures cover as well. */
    private static final String SOURCE_SHA256 = "867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0";

    private static final Duration COMPILE_LIMIT = Duration.ofMinutes(5);

    /** PostgreSQL's own rules for C, and what lets the compiler vectorise distances; nothing of this one processor. */
    private static final List<String> FLAGS = List.of(
            "-O2",
            "-fPIC",
            "-fwrapv",
            "-fno-strict-aliasing",
            "-ftree-vectorize",
            "-fassociative-math",
            "-fno-signed-zeros",
            "-fno-trapping-math",
            "-w");

    private final PgHome home;
    private final DebianArchive archive;
    private final Path work;
    private final Progress progress;

    VectorBuild(PgHome home, DebianArchive archive, Path work, Progress progress) {
        this.home = home;
        this.archive = archive;
        this.work = work;
        this.progress = progress;
    }

    static Optional<Path> compiler() {
        return Command.find("gcc").or(() -> Command.find("cc")).or(() -> Command.find("clang"));
    }

    @Override
    public String name() {
        return "a build from source";
    }

    @Override
    public Optional<VectorFiles> find() throws IOException {
        if (!archive.available() || compiler().isEmpty()) {
            return Optional.empty();
        }
        progress.step(Progress.Step.BUILDING);
        Path headers = archive.unpackedPackage("postgresql-server-dev-" + home.major(), work.resolve("headers"))
                .resolve("usr/include/postgresql/" + home.major() + "/server");
        Path source = source();
        Path built = Folders.createReadable(work.resolve("built"));
        var files = new VectorFiles(built, built, home.platform());
        compile(compiler().get().toString(), source.resolve("src"), headers, files.module());
        for (Path script : Folders.list(source.resolve("sql"), "vector--")) {
            Files.copy(script, built.resolve(script.getFileName()));
        }
        Files.copy(source.resolve("sql/vector.sql"), built.resolve("vector--" + Pgvector.VERSION + ".sql"));
        Files.copy(source.resolve("vector.control"), files.control());
        return Optional.of(files);
    }

    private Path source() throws IOException {
        Path tarball =
                archive.sourceTarball("pgvector", "pgvector_" + Pgvector.VERSION + ".orig.tar.gz", SOURCE_SHA256);
        Path folder = Folders.createReadable(work.resolve("source"));
        try (var stream = Files.newInputStream(tarball)) {
            Archives.unpackGzip(stream, folder);
        }
        return folder.resolve("pgvector-" + Pgvector.VERSION);
    }

    private void compile(String compiler, Path source, Path headers, Path module) throws IOException {
        List<Path> units;
        try (var children = Files.list(source)) {
            units = children.filter(file -> file.toString().endsWith(".c"))
                    .sorted()
                    .toList();
        }
        Path objects = Folders.createReadable(work.resolve("objects"));
        var link = new ArrayList<>(List.of(compiler, "-shared", "-o", module.toString()));
        var jobs = new ArrayList<Callable<Command.Outcome>>();
        for (Path unit : units) {
            Path object = objects.resolve(unit.getFileName() + ".o");
            link.add(object.toString());
            var words = new ArrayList<>(List.of(compiler, "-c", unit.toString(), "-o", object.toString()));
            words.addAll(List.of("-I", headers.toString()));
            words.addAll(FLAGS);
            jobs.add(() -> Command.of(words).run(COMPILE_LIMIT));
        }
        link.add("-lm");
        runAll(jobs);
        checked(Command.of(link).run(COMPILE_LIMIT));
    }

    private static void runAll(List<Callable<Command.Outcome>> jobs) {
        try (var workers = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            for (Future<Command.Outcome> job : workers.invokeAll(jobs)) {
                checked(job.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("interrupted while compiling", e);
        } catch (ExecutionException e) {
            throw new EmbeddedException("the compiler could not be run", e);
        }
    }

    private static void checked(Command.Outcome outcome) {
        outcome.orThrow("the compiler fails, are gcc and libc6-dev complete?");
    }
}
