package io.hiroba.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats and hashes of files of records. */
final class RecordFiles {

    static final String XLSX = "xlsx";

    private RecordFiles() {}

    /** The format by file extension. */
    static String formatOf(@Nullable Path file) {
        var name = file == null ? "" : file.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".xlsx")) {
            return XLSX;
        }
        return name.endsWith(".jsonl") || name.endsWith(".ndjson") || name.endsWith(".json") ? "jsonl" : "csv";
    }

    /** Distinguishes files with the same name. */
    static String hash(Path file) throws IOException {
        try (var content = Files.newInputStream(file)) {
            var digest = MessageDigest.getInstance("SHA-256");
            var buffer = new byte[1 << 16];
            for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
                digest.update(buffer, 0, count);
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
