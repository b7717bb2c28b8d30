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

    private static final String XLSX = "xlsx";
    private static final String PARQUET = "parquet";

    private RecordFiles() {}

    /** The format by file extension. */
    static String formatOf(@Nullable Path file) {
        var name = file == null ? "" : file.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".xlsx")) {
            return XLSX;
        }
        if (name.endsWith(".parquet")) {
            return PARQUET;
        }
        return name.endsWith(".jsonl") || name.endsWith(".ndjson") || name.endsWith(".json") ? "jsonl" : "csv";
    }

    /** Whether a format is of bytes, which are nothing for a screen. */
    static boolean isBinary(String format) {
        return format.equals(XLSX) || format.equals(PARQUET);
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
