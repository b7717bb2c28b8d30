package io.hiroba.records.transfer;

import java.util.List;

/**
 * A chunk of a file that is written in one transaction.
 *
 * @param columns the columns of the file
 * @param line the last line of these
 * @param bytes about how many bytes of the file were read with them
 * @param broken why nothing follows, where the file is broken after them
 */
record ImportChunk(List<String> columns, List<FileLine> lines, long line, long bytes, List<LineError> broken) {

    boolean isLast() {
        return lines.isEmpty() || !broken.isEmpty();
    }
}
