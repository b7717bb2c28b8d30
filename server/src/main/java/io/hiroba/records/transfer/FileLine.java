package io.hiroba.records.transfer;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** One record of a file, which may take several lines of it. */
sealed interface FileLine {

    /** Where it begins, from 1. */
    long number();

    /** A line of CSV. */
    record Cells(long number, List<String> values) implements FileLine {}

    /** A line of JSON. */
    record Values(long number, ObjectNode object) implements FileLine {}

    /** A line that cannot be read; those after it can. */
    record Unreadable(long number, String message) implements FileLine {}
}
