package io.hiroba.records.transfer;

import java.util.List;

/**
 * A chunk of a file that is written in one transaction.
 *
 * @param columns the columns of the file
 * @param line the last line of the chunk
 * @param bytes the approximate size of the chunk
 * @param broken the reason why the rest of the file cannot be read, if so
 */
record ImportChunk(List<String> columns, List<FileLine> lines, long line, long bytes, List<LineError> broken) {

    boolean isLast() {
        return lines.isEmpty() || !broken.isEmpty();
    }
}
