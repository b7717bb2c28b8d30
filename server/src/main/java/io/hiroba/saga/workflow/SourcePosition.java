package io.hiroba.saga.workflow;

/**
 * A position in a text, from 1 on.
 *
 * @param column 0 where the line says enough
 */
record SourcePosition(int line, int column) {

    static final SourcePosition START = new SourcePosition(1, 0);

    static SourcePosition ofLine(int line) {
        return new SourcePosition(line, 0);
    }
}
