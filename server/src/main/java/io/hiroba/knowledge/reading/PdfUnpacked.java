package io.hiroba.knowledge.reading;

import java.io.OutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Measures what streams unpack to, one after the other, and keeps nothing of it. */
final class PdfUnpacked extends OutputStream {

    private static final long LARGEST_STREAM = 64L << 20;
    private static final long LARGEST_FILE = 16 * LARGEST_STREAM;
    /** The library passes over what says how a stream is packed, whatever it says. */
    private static final int HEAD = 2;

    private final byte[] buffer = new byte[64 * 1024];
    private long total;
    private int head;
    private boolean done;
    private final Inflater inflater = new Inflater(true);

    /** Begins with the next stream. */
    void begin() {
        inflater.reset();
        head = 0;
        done = false;
    }

    /** Counts work that has nothing to show for it. */
    void count(long bytes) {
        total += bytes;
        if (total > LARGEST_FILE) {
            throw PdfBounds.tooLarge();
        }
    }

    @Override
    public void close() {
        inflater.end();
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        int skipped = Math.min(HEAD - head, length);
        head += skipped;
        if (done || length == skipped) {
            return;
        }
        inflater.setInput(bytes, from + skipped, length - skipped);
        long read = inflater.getBytesRead();
        try {
            for (int count = 1; count > 0; ) {
                count = inflater.inflate(buffer);
                count(count);
                if (inflater.getBytesWritten() > LARGEST_STREAM) {
                    throw PdfBounds.tooLarge();
                }
            }
            done = inflater.finished();
        } catch (DataFormatException e) {
            done = true;
        }
        count(inflater.getBytesRead() - read);
    }
}
