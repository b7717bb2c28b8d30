package io.hiroba.records.transfer;

import io.hiroba.records.transfer.ThriftInput.BrokenException;
import java.nio.ByteBuffer;

/** Reads small numbers that are stored as runs of equal ones and as packed bits, by turns. */
final class RunLengths {

    private final ByteBuffer in;
    private final int width;
    private int left;
    private int value;
    private boolean packed;
    private long bits;
    private int bitCount;

    /** @param width the bits of a number */
    RunLengths(ByteBuffer in, int width) {
        if (width < 0 || width > 32) {
            throw new BrokenException("no such width");
        }
        this.in = in;
        this.width = width;
    }

    int next() {
        if (width == 0) {
            return 0;
        }
        while (left == 0) {
            begin();
        }
        left--;
        if (!packed) {
            return value;
        }
        while (bitCount < width) {
            bits |= (in.hasRemaining() ? in.get() & 0xffL : 0) << bitCount;
            bitCount += 8;
        }
        int next = (int) (bits & (1L << width) - 1);
        bits >>>= width;
        bitCount -= width;
        return next;
    }

    private void begin() {
        long head = 0;
        int shift = 0;
        int next;
        do {
            next = in.get();
            head |= (long) (next & 0x7f) << shift;
            shift += 7;
        } while (next < 0 && shift < 35);
        packed = (head & 1) == 1;
        long count = packed ? (head >> 1) * 8 : head >> 1;
        if (count > Integer.MAX_VALUE) {
            throw new BrokenException("a run that never ends");
        }
        left = (int) count;
        bits = 0;
        bitCount = 0;
        if (!packed) {
            value = 0;
            for (int i = 0; i < (width + 7) / 8; i++) {
                value |= (in.get() & 0xff) << (8 * i);
            }
        }
    }
}
