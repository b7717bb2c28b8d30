package io.hiroba.records.transfer;

import java.util.List;
import java.util.Optional;

/** The records of a file that begin at some line or after it. */
record SkippingLineReader(LineReader all, long from) implements LineReader {

    @Override
    public List<String> columns() {
        return all.columns();
    }

    @Override
    public Optional<FileLine> next() {
        var line = all.next();
        while (line.isPresent() && line.get().number() < from) {
            line = all.next();
        }
        return line;
    }
}
