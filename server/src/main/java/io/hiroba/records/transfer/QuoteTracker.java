package io.hiroba.records.transfer;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/** A reader of CSV that tracks whether it ended within quotes, which the parser does not report. */
final class QuoteTracker extends FilterReader {

    private final char delimiter;
    private Place place = Place.BEGIN;
    private boolean ended;

    /** The position of the next character in a cell. A quote is special at the beginning of a cell only. */
    private enum Place {
        BEGIN,
        BARE,
        QUOTED,
        AFTER_QUOTE
    }

    QuoteTracker(Reader csv, char delimiter) {
        super(csv);
        this.delimiter = delimiter;
    }

    /** Whether the end was reached inside quotes. */
    boolean endsWithinQuotes() {
        return ended && place == Place.QUOTED;
    }

    @Override
    public int read() throws IOException {
        int c = super.read();
        if (c < 0) {
            ended = true;
        } else {
            pass((char) c);
        }
        return c;
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        if (count < 0) {
            ended = true;
        }
        for (int i = offset; i < offset + count; i++) {
            pass(buffer[i]);
        }
        return count;
    }

    private void pass(char c) {
        place = switch (place) {
            case QUOTED -> c == '"' ? Place.AFTER_QUOTE : Place.QUOTED;
            case AFTER_QUOTE -> c == '"' ? Place.QUOTED : bare(c);
            case BEGIN -> c == '"' ? Place.QUOTED : bare(c);
            case BARE -> bare(c);
        };
    }

    private Place bare(char c) {
        return c == delimiter || c == '\n' || c == '\r' ? Place.BEGIN : Place.BARE;
    }
}
