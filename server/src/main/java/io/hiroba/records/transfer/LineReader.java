package io.hiroba.records.transfer;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the records of a file one by one. */
interface LineReader extends AutoCloseable {

    /** The maximum size of one record: a file may be one endless line. */
    int MAX_LENGTH = 4 << 20;

    /** The names of the columns, if the file has a header line. */
    List<String> columns();

    /** Those of the columns that have no name of their own in the file, and perhaps no values. */
    default Set<String> unnamed() {
        return Set.of();
    }

    /**
     * The next record, or empty at the end.
     *
     * @throws MalformedFileException if the rest of the file cannot be read
     */
    Optional<FileLine> next();

    /** The bytes read, of a file that was read to {@code streamed}; those that are unpacked if it is packed. */
    default long unpacked(long streamed) {
        return streamed;
    }

    /** The place in the file up to which records were read; a format that needs the whole file first estimates it. */
    default long position(long streamed) {
        return streamed;
    }

    /** What stands between the cells of a text file. */
    default char delimiter() {
        return ',';
    }

    @Override
    default void close() {}

    /** Opens {@code content}, in whatever encoding it is, at the line of the options. */
    static LineReader of(java.io.InputStream content, ImportOptions options) {
        var all = switch (options.format()) {
            case CSV -> new CsvLineReader(content, options);
            case JSONL -> new JsonLineReader(content, options);
            case XLSX -> new XlsxLineReader(content, options);
            case PARQUET -> new ParquetLineReader(content, options);
        };
        return options.fromLine() <= 1 ? all : new Skipping(all, options.fromLine());
    }

    /** Skips the records of a file before some line. */
    record Skipping(LineReader all, long from) implements LineReader {

        @Override
        public List<String> columns() {
            return all.columns();
        }

        @Override
        public Set<String> unnamed() {
            return all.unnamed();
        }

        @Override
        public Optional<FileLine> next() {
            var line = all.next();
            while (line.isPresent() && line.get().number() < from) {
                line = all.next();
            }
            return line;
        }

        @Override
        public char delimiter() {
            return all.delimiter();
        }

        @Override
        public long unpacked(long streamed) {
            return all.unpacked(streamed);
        }

        @Override
        public long position(long streamed) {
            return all.position(streamed);
        }

        @Override
        public void close() {
            all.close();
        }
    }
}
