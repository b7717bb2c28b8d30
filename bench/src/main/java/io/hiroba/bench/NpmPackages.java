package io.hiroba.bench;

import io.hiroba.embedded.EmbeddedConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Packages of npm in a folder of the user's cache, fetched once from the registry that npm is configured with. */
public final class NpmPackages {

    /** Directus and Restate need 22, which many systems do not have. */
    private static final String NODE_VERSION = "22.23.3";

    private NpmPackages() {}

    /** Whether there is an npm to fetch them with. */
    static boolean available() {
        try {
            return new ProcessBuilder("npm", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The folder {@code node_modules} with the packages, whose own install scripts have not run. */
    public static Path modules(String name, String... packages) {
        var folder = EmbeddedConfig.defaultCacheDir().resolve("peers").resolve(name);
        var installed = folder.resolve("installed");
        var wanted = String.join(" ", packages);
        try {
            if (!Files.exists(installed) || !Files.readString(installed).equals(wanted)) {
                System.err.println("· fetching " + wanted);
                BenchServer.remove(folder);
                Files.createDirectories(folder);
                Files.writeString(folder.resolve("package.json"), "{\"private\": true}");
                npm(folder, List.of(packages));
                Files.writeString(installed, wanted);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return folder.resolve("node_modules");
    }

    private static void npm(Path folder, List<String> packages) throws IOException {
        var command = new ArrayList<>(List.of(
                "npm",
                "install",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--prefer-offline",
                "--loglevel=error"));
        command.addAll(packages);
        try {
            var process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("npm could not fetch " + packages);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The program {@code node}. */
    public static String node() {
        var name = "node-" + platform();
        return modules("node", name + "@" + NODE_VERSION)
                .resolve(name)
                .resolve("bin")
                .resolve("node")
                .toString();
    }

    /** The system and the processor as packages are named after them. */
    public static String platform() {
        var system = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
        return system + (System.getProperty("os.arch").equals("aarch64") ? "-arm64" : "-x64");
    }
}
