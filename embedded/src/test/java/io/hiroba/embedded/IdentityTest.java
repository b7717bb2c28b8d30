package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The user that runs the server. Another user must be able to reach the folders, so they lie in the open temporary folder. */
@Tag("slow")
class IdentityTest {
    private static final int NOBODY = 65534;

    private Path dir;

    @BeforeEach
    void openFolder() throws Exception {
        dir = Folders.createReadable(Files.createTempDirectory("hiroba-identity"));
    }

    @AfterEach
    void removeFolder() throws Exception {
        Folders.delete(dir);
    }

    @Test
    void aNormalUserUnpacksAndRunsIt() throws Exception {
        Databases.start(dir.resolve("warm")).close();
        Path cache = Folders.createReadable(dir.resolve("cache"));
        PgHome home = Binaries.location(EmbeddedConfig.defaultCacheDir());
        // The built pgvector is taken along: building it again would only take time.
        for (Path built : Folders.list(EmbeddedConfig.defaultCacheDir(), "pgvector-")) {
            copy(built, cache.resolve(built.getFileName()));
        }
        Path work = Folders.createReadable(dir.resolve("work"));
        List<String> prefix = List.of();
        if (RunAs.currentUid() == 0) {
            give(cache);
            give(work);
            prefix = List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
        }
        try (var owner = OwnerProcess.start(prefix, reachableClassPath(), work.resolve("pg"), cache)) {
            long server = owner.serving();
            assertThat(Files.getAttribute(Path.of("/proc/" + server), "unix:uid"))
                    .isEqualTo(Files.getAttribute(Path.of("/proc/" + owner.pid()), "unix:uid"));
            assertThat(owner.finish()).contains("stopped");
        }
        assertThat(cache.resolve(home.root().getFileName())).isDirectory();
    }

    @Test
    void rootRunsNoProgramThatAFolderNamesAndSomebodyElseCanChange() throws Exception {
        Path programs = dir.resolve("programs");
        Path postgres = Files.createDirectories(programs.resolve("bin")).resolve("postgres");
        Files.writeString(postgres, "#!/bin/sh\necho 'postgres (PostgreSQL) 16.1'\n");
        Files.setPosixFilePermissions(postgres, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = Files.createDirectory(dir.resolve("pg"));
        Files.writeString(data.resolve("programs"), programs + "\n");
        var config = new EmbeddedConfig(data, dir.resolve("cache"), true);
        assertThat(MajorUpgrade.programs(config, "16", Optional.empty())).contains(programs.toRealPath());

        boolean isRoot = RunAs.currentUid() == 0;
        if (isRoot) {
            give(postgres);
        }
        assertThat(MajorUpgrade.programs(config, "16", Optional.empty()).isEmpty())
                .isEqualTo(isRoot);
        assertThat(MajorUpgrade.programs(config, "16", Optional.of(programs)))
                .as("named by the caller")
                .contains(programs);
    }

    @Test
    void rootServesSomebodysFolderAsThatPerson() throws Exception {
        assumeTrue(RunAs.currentUid() == 0);
        Path data = Files.createDirectory(dir.resolve("pg"));
        give(data);
        try (var postgres = Databases.start(data)) {
            assertThat(Files.getAttribute(Path.of("/proc/" + postgres.pid()), "unix:uid"))
                    .isEqualTo(NOBODY);
        }
        try (var files = Files.walk(data)) {
            assertThat(files).allMatch(file -> owner(file) == NOBODY);
        }
        Databases.start(data).close();
    }

    @Test
    void whereNamespacesAreForbiddenRootHandsTheFolderToASystemUser() throws Exception {
        assumeTrue(RunAs.currentUid() == 0);
        Databases.start(dir.resolve("warm")).close();
        Path data = Files.createDirectory(dir.resolve("pg"));
        var runAs = RunAs.choose(data, Binaries.location(EmbeddedConfig.defaultCacheDir()), Optional.empty());
        assertThat(owner(data)).isNotZero();
        assertThat(Command.of(runAs.command(List.of("id", "-u")))
                        .run(Duration.ofSeconds(10))
                        .output()
                        .strip())
                .isEqualTo(Integer.toString(owner(data)));
        Databases.start(data).close();
        assertThat(owner(data.resolve("data"))).isEqualTo(owner(data));
    }

    private static int owner(Path file) {
        try {
            return (int) Files.getAttribute(file, "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void give(Path folder) {
        assertThat(Command.of("chown", "-R", NOBODY + ":" + NOBODY, folder.toString())
                        .run(Duration.ofSeconds(30))
                        .succeeded())
                .isTrue();
    }

    /** The class path copied to where every user can read it. */
    private String reachableClassPath() throws Exception {
        Path target = Folders.createReadable(dir.resolve("classes"));
        var entries = new ArrayList<String>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path source = Path.of(entry);
            if (!entry.isEmpty() && Files.exists(source)) {
                Path copy = target.resolve(entries.size() + "-" + source.getFileName());
                copy(source, copy);
                entries.add(copy.toString());
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void copy(Path from, Path to) {
        assertThat(Command.of("cp", "-RL", from.toString(), to.toString()).run(Duration.ofSeconds(60)))
                .matches(Command.Outcome::succeeded);
    }
}
