package io.hiroba.records.transfer;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The format of a file of records. */
public enum FileFormat {
    /** A header line, then a line per record. */
    CSV("text/csv; charset=utf-8"),
    /** A JSON object per line. */
    JSONL("application/x-ndjson"),
    /** An Excel workbook: a row of names, then a row per record. */
    XLSX("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    /** A Parquet file: columns of one type each. */
    PARQUET("application/vnd.apache.parquet");

    private final String mediaType;

    FileFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** The format by its name in requests: {@code csv}, {@code jsonl}, {@code xlsx} or {@code parquet}. */
    public static Optional<FileFormat> named(String name) {
        return Stream.of(values()).filter(format -> format.label().equals(name)).findFirst();
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String mediaType() {
        return mediaType;
    }
}
