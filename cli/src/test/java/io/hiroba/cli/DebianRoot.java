package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A root folder that dpkg installs into, with a {@code systemctl} that notes what it is told. */
final class DebianRoot {

    private static final String TOOLS =
            "dpkg dpkg-deb dpkg-query dpkg-split diff start-stop-daemon ldconfig useradd getent install stat chgrp";

    private final Path script;
    private final Path root;

    DebianRoot(Path script, Path root) throws IOException, InterruptedException {
        this.script = script;
        this.root = root;
        assertThat(run("true").out()).isEmpty();
        for (var made : List.of("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/backups", "run/systemd/system")) {
            Files.createDirectories(path(made));
        }
        Files.createFile(path("var/lib/dpkg/status"));
        Files.writeString(path("bin/systemctl"), "#!/bin/sh\necho \"$*\" >>/systemctl.log\n");
        Files.setPosixFilePermissions(path("bin/systemctl"), PosixFilePermissions.fromString("rwxr-xr-x"));
        // The package makes its user itself.
        var users = Files.readAllLines(path("etc/passwd"));
        users.removeIf(user -> user.startsWith("hiroba:"));
        Files.write(path("etc/passwd"), users);
        Files.writeString(path("etc/group"), "root:x:0:\n");
    }

    Path path(String name) {
        return root.resolve(name);
    }

    Checkout.Outcome run(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("bash", script.toString(), root.toString()));
        command.addAll(List.of(words));
        return DistTest.run(command, "", Map.of("BARE_USER", "0", "BARE_TOOLS", TOOLS));
    }

    String dpkg(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("dpkg", "--force-depends"));
        command.addAll(List.of(words));
        var outcome = run(command.toArray(String[]::new));
        assertThat(outcome.code()).as(outcome.out()).isZero();
        return outcome.out();
    }

    /** What it was told since it was asked last. */
    List<String> systemctl() throws IOException {
        Path log = path("systemctl.log");
        var told = Files.readAllLines(log);
        Files.delete(log);
        return told;
    }

    /** Brings a package in; the answer is its name there. */
    String copyOf(Path deb) throws IOException {
        Files.copy(deb, path("new.deb"));
        return "/new.deb";
    }

    /** Brings in the version before, which has the same settings and scripts, and little else. */
    String olderOf(Path deb) throws IOException, InterruptedException {
        Path older = root.resolveSibling("older");
        assertThat(DistTest.run(List.of("dpkg-deb", "-R", deb.toString(), older.toString()), "", Map.of())
                        .code())
                .isZero();
        for (var large : List.of("jre", "pgsql", "lib")) {
            DistTest.run(
                    List.of(
                            "rm",
                            "-rf",
                            older.resolve("usr/lib/hiroba/" + large).toString()),
                    "",
                    Map.of());
        }
        Path control = older.resolve("DEBIAN/control");
        Files.writeString(control, Files.readString(control).replace("Version: 1.2.3", "Version: 1.2.2"));
        var built = DistTest.run(
                List.of(
                        "dpkg-deb",
                        "-Znone",
                        "-b",
                        older.toString(),
                        path("old.deb").toString()),
                "",
                Map.of());
        assertThat(built.code()).as(built.out()).isZero();
        return "/old.deb";
    }

    /** Whose a file is, by the names that the root folder has, and who may do what with it. */
    String described(Path file) throws IOException, InterruptedException {
        var owners =
                run("stat", "-c", "%U:%G", "/" + root.relativize(file)).out().strip();
        var attributes = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return owners + " " + PosixFilePermissions.toString(attributes.permissions());
    }
}
