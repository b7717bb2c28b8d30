package io.hiroba.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/** The files of one pgvector: the module, the control file and the scripts. */
record VectorFiles(Path libraries, Path extensions, Platform platform) {
    /** Orders 0.10.0 after 0.9.9. */
    static final Comparator<String> BY_NUMBERS = (left, right) -> Arrays.compare(numbers(left), numbers(right));

    private static final Pattern DEFAULT_VERSION = Pattern.compile("(?m)^default_version\\s*=\\s*'([0-9.]+)'");
    private static final Pattern GLIBC = Pattern.compile("GLIBC_([0-9]+\\.[0-9]+)");

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("\\.", -1))
                .filter(part -> !part.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    Path module() {
        return libraries.resolve("vector" + platform.moduleSuffix());
    }

    Path control() {
        return extensions.resolve("vector.control");
    }

    boolean complete() {
        return Files.isRegularFile(module())
                && Files.isRegularFile(control())
                && Files.isRegularFile(extensions.resolve("vector--" + version() + ".sql"));
    }

    /** Empty text when the control file does not tell. */
    String version() {
        try {
            return version(Files.readString(control()));
        } catch (IOException e) {
            return "";
        }
    }

    static String version(String control) {
        var matcher = DEFAULT_VERSION.matcher(control);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** The newest version of the C library that the module asks for. */
    Optional<String> neededGlibc() {
        try {
            return neededGlibc(Files.readString(module(), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Optional<String> neededGlibc(String module) {
        return GLIBC.matcher(module).results().map(match -> match.group(1)).max(BY_NUMBERS);
    }

    /** The control file goes last: where it is, the rest is. */
    void copyTo(Path toLibraries, Path toExtensions) throws IOException {
        Folders.copy(module(), toLibraries.resolve(module().getFileName()), "rwxr-xr-x");
        for (Path script : Folders.list(extensions, "vector--")) {
            Folders.copy(script, toExtensions.resolve(script.getFileName()), "rw-r--r--");
        }
        Folders.copy(control(), toExtensions.resolve("vector.control"), "rw-r--r--");
    }
}
