package io.hiroba.agents.remote;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that is read up to a number of bytes. */
final class BoundedInput extends FilterInputStream {

    /** The body is longer than it may be. */
    static final class TooLong extends IOException {

        private static final long serialVersionUID = 1L;

        TooLong() {
            super("The body is too long");
        }
    }

    private long left;

    BoundedInput(InputStream in, long max) {
        super(in);
        this.left = max;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        take(next < 0 ? 0 : 1);
        return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        take(Math.max(0, count));
        return count;
    }

    private void take(int count) throws IOException {
        left -= count;
        if (left < 0) {
            throw new TooLong();
        }
    }
}
