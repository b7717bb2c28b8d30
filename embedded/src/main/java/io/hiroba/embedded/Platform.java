package io.hiroba.embedded;

import java.util.Locale;

/** The kind of machine, as far as it decides which binaries fit. */
record Platform(String os, String arch) {
    static Platform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Platform of(String osName, String osArch) {
        String name = osName.toLowerCase(Locale.ROOT);
        String os = name.startsWith("linux") ? "linux" : name.startsWith("mac") ? "darwin" : "";
        String arch = switch (osArch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> "";
        };
        if (os.isEmpty() || arch.isEmpty()) {
            throw new EmbeddedException("There is no embedded PostgreSQL for " + osName + " on " + osArch
                    + ": set HIROBA_DATABASE_URL to a PostgreSQL 16 or newer with pgvector.");
        }
        return new Platform(os, arch);
    }

    boolean linux() {
        return os.equals("linux");
    }

    /** The name of the archive inside the jar of the binaries. */
    String archive() {
        return "postgres-" + os + "-" + arch + ".txz";
    }

    String moduleSuffix() {
        return linux() ? ".so" : ".dylib";
    }

    @Override
    public String toString() {
        return os + "-" + arch;
    }
}
