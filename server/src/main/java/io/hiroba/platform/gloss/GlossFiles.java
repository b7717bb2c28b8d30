package io.hiroba.platform.gloss;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** The dictionaries in the cache folder, and the tables that are made of them once. */
final class GlossFiles {

    /** Each version of the tables has its own files: nodes of two versions of the program may share a folder. */
    private static final String SUFFIX = "-" + Glosses.VERSION + ".glosses";

    private final Path folder;

    GlossFiles(Path folder) {
        this.folder = folder;
    }

    /** Reads a dictionary. */
    @FunctionalInterface
    private interface Reader {
        Map<String, String> read(BufferedReader lines) throws IOException;
    }

    /** Whether the tables are there. */
    boolean exist() {
        return Files.isReadable(table("ja")) && Files.isReadable(table("zh"));
    }

    private Path table(String language) {
        return folder.resolve(language + SUFFIX);
    }

    Glosses open() throws IOException {
        return new Glosses(GlossTable.open(table("ja")), GlossTable.open(table("zh")));
    }

    /** Makes the tables of the dictionaries, unless they are there. */
    void make() throws IOException {
        make("ja", folder.resolve("edict.utf8"), EdictReader::read);
        make("zh", folder.resolve("cc-cedict.dict.dz"), CedictReader::read);
    }

    private void make(String language, Path dictionary, Reader reader) throws IOException {
        if (Files.exists(table(language))) {
            return;
        }
        // Others may do the same at this moment: the last one wins, and all of them make the same.
        var next = Files.createTempFile(folder, "." + language, SUFFIX);
        try (var lines = lines(dictionary)) {
            GlossTable.write(next, reader.read(lines));
            Files.move(next, table(language), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private static BufferedReader lines(Path dictionary) throws IOException {
        var bytes = Files.newInputStream(dictionary);
        return new BufferedReader(new InputStreamReader(
                dictionary.toString().endsWith(".dz") ? new GZIPInputStream(bytes) : bytes, StandardCharsets.UTF_8));
    }
}
