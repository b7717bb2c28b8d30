package io.hiroba.knowledge.documents;

import java.io.OutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Counts the inflated size of streams without keeping their content. */
final class InflatedSize extends OutputStream {

    private static final long MAX_STREAM_SIZE = 64L << 20;
    private static final long MAX_FILE_SIZE = 16 * MAX_STREAM_SIZE;
    /** PDFBox skips the zlib header without checking it. */
    private static final int HEADER_SIZE = 2;

    private final byte[] buffer = new byte[64 * 1024];
    private long total;
    private int head;
    private boolean done;
    private final Inflater inflater = new Inflater(true);

    /** Starts with the next stream. */
    void begin() {
        inflater.reset();
        head = 0;
        done = false;
    }

    /** Counts work without output. */
    void count(long bytes) {
        total += bytes;
        if (total > MAX_FILE_SIZE) {
            throw PdfSizeCheck.tooLarge();
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
        int skipped = Math.min(HEADER_SIZE - head, length);
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
                if (inflater.getBytesWritten() > MAX_STREAM_SIZE) {
                    throw PdfSizeCheck.tooLarge();
                }
            }
            done = inflater.finished();
        } catch (DataFormatException e) {
            done = true;
        }
        count(inflater.getBytesRead() - read);
    }
}
