package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.embedded.Dictionaries.Dictionary;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class DictionariesTest {
    @TempDir
    Path dir;

    @Test
    void aDictionaryAndItsLicenceAreTakenOutOfThePackage() throws IOException {
        var tar = new ByteArrayOutputStream();
        try (var files = new TarArchiveOutputStream(new XZOutputStream(tar, new LZMA2Options(0)))) {
            put(files, "./usr/share/edict/edict.utf8", "words");
            put(files, "./usr/share/edict/edict", "words in another encoding");
            put(files, "./usr/share/doc/edict/copyright", "licence");
        }
        var deb = new ByteArrayOutputStream();
        try (var parts = new ArArchiveOutputStream(deb)) {
            put(parts, "debian-binary", "2.0\n".getBytes(StandardCharsets.UTF_8));
            put(parts, "data.tar.xz", tar.toByteArray());
        }
        var unpacked = Dictionaries.unpacked(new ByteArrayInputStream(deb.toByteArray()), Dictionary.EDICT);
        assertThat(unpacked).containsOnlyKeys("usr/share/edict/edict.utf8", "usr/share/doc/edict/copyright");
        assertThat(unpacked.get("usr/share/edict/edict.utf8")).asString().isEqualTo("words");
    }

    @Test
    void nothingIsCachedBeforeItWasFetched() {
        assertThat(Dictionaries.cached(dir)).isEmpty();
    }

    private static void put(TarArchiveOutputStream files, String name, String text) throws IOException {
        var entry = new TarArchiveEntry(name);
        entry.setSize(text.length());
        files.putArchiveEntry(entry);
        files.write(text.getBytes(StandardCharsets.UTF_8));
        files.closeArchiveEntry();
    }

    private static void put(ArArchiveOutputStream parts, String name, byte[] content) throws IOException {
        parts.putArchiveEntry(new ArArchiveEntry(name, content.length));
        parts.write(content);
        parts.closeArchiveEntry();
    }
}
