package io.hiroba.records.transfer;

import java.util.List;
import java.util.Optional;

/** The records of a file, one after the other. */
interface LineReader {

    /** So many bytes, or characters, of one record are read at most: a file may be one endless line. */
    int MAX_LENGTH = 4 << 20;

    /** The names of the columns, where the file begins with such. */
    List<String> columns();

    /**
     * The next record, or none at the end.
     *
     * @throws MalformedFileException if nothing more can be made of the file
     */
    Optional<FileLine> next();

    /** The records of {@code content}, which is in UTF-8, from the line on that the options name. */
    static LineReader of(java.io.InputStream content, ImportOptions options) {
        var all = switch (options.format()) {
            case CSV -> new CsvLineReader(content, options.delimiter().charAt(0));
            case JSONL -> new JsonLineReader(content);
        };
        return options.fromLine() <= 1 ? all : new SkippingLineReader(all, options.fromLine());
    }
}
