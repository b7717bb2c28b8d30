package io.hiroba.embedded;

import java.nio.file.Path;

/** An unpacked PostgreSQL. */
record PgHome(Path root, String version, Platform platform) {
    Path program(String name) {
        return root.resolve("bin").resolve(name);
    }

    Path libraries() {
        return root.resolve("lib").resolve("postgresql");
    }

    Path extensions() {
        return root.resolve("share").resolve("postgresql").resolve("extension");
    }

    Path module(String name) {
        return libraries().resolve(name + platform.moduleSuffix());
    }

    String major() {
        return version.substring(0, version.indexOf('.'));
    }
}
