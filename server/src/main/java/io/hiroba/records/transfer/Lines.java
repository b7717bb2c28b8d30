package io.hiroba.records.transfer;

import java.util.List;
import java.util.Optional;

/** The records of a file, one after the other. */
interface Lines {

    /** So many bytes, or characters, of one record are read at most: a file may be one endless line. */
    int LONGEST = 4 << 20;

    /** The names of the columns, where the file begins with such. */
    List<String> columns();

    /**
     * The next record, or none at the end.
     *
     * @throws BrokenContent if nothing more can be made of the file
     */
    Optional<Line> next();

    /** The records of {@code content}, which is in UTF-8, from the line on that the options name. */
    static Lines of(java.io.InputStream content, ImportOptions options) {
        var all = switch (options.format()) {
            case CSV -> new CsvLines(content, options.delimiter().charAt(0));
            case JSONL -> new JsonLines(content);
        };
        return options.fromLine() <= 1 ? all : new LaterLines(all, options.fromLine());
    }
}
