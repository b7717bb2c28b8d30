package io.hiroba.records.transfer;

import java.util.List;

/**
 * Some records of a file that are written together.
 *
 * @param columns the columns of the file
 * @param line the last line of these
 * @param bytes about how many bytes of the file were read with them
 * @param broken why nothing follows, where the file is broken after them
 */
record Chunk(List<String> columns, List<Line> lines, long line, long bytes, List<LineError> broken) {

    boolean isLast() {
        return lines.isEmpty() || !broken.isEmpty();
    }
}
