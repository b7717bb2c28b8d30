package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ValueType;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** A record of a file, which may span several lines. */
sealed interface FileLine {

    /** Its first line, from 1. */
    long number();

    /**
     * A line of CSV, or a row of a sheet.
     *
     * @param types the types of the cells, which have none in CSV
     */
    record Cells(long number, List<String> values, List<ValueType> types) implements FileLine {

        Cells(long number, List<String> values) {
            this(number, values, List.of());
        }
    }

    /** A line of JSON. */
    record Values(long number, ObjectNode object) implements FileLine {}

    /** A line that cannot be parsed; those after it can. */
    record Unreadable(long number, Text message) implements FileLine {}
}
