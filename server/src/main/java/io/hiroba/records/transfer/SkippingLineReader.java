package io.hiroba.records.transfer;

import java.util.List;
import java.util.Optional;

/** Skips the records of a file before some line. */
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
