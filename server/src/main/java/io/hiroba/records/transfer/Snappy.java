package io.hiroba.records.transfer;

import io.hiroba.records.transfer.ThriftInput.BrokenException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Unpacks blocks of the Snappy format. */
final class Snappy {

    private Snappy() {}

    /** Unpacks {@code in}, of which {@code size} bytes must come. */
    static byte[] unpack(ByteBuffer in, int size) {
        var packed = in.order(ByteOrder.LITTLE_ENDIAN);
        if (length(packed) != size) {
            throw new BrokenException("another length");
        }
        var out = new byte[size];
        int at = 0;
        while (packed.hasRemaining()) {
            int tag = packed.get() & 0xff;
            if ((tag & 3) == 0) {
                int length = literal(packed, tag >> 2);
                packed.get(out, at, length);
                at += length;
                continue;
            }
            int length;
            int offset;
            switch (tag & 3) {
                case 1 -> {
                    length = ((tag >> 2) & 7) + 4;
                    offset = ((tag >> 5) << 8) | (packed.get() & 0xff);
                }
                case 2 -> {
                    length = (tag >> 2) + 1;
                    offset = packed.getShort() & 0xffff;
                }
                default -> {
                    length = (tag >> 2) + 1;
                    offset = packed.getInt();
                }
            }
            if (offset <= 0 || offset > at || length > size - at) {
                throw new BrokenException("a copy of nothing");
            }
            // One by one: what is copied may be what was copied just now.
            for (int end = at + length; at < end; at++) {
                out[at] = out[at - offset];
            }
        }
        if (at != size) {
            throw new BrokenException("it ends too early");
        }
        return out;
    }

    private static int length(ByteBuffer packed) {
        long length = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int next = packed.get();
            length |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return length > Integer.MAX_VALUE ? -1 : (int) length;
            }
        }
        return -1;
    }

    private static int literal(ByteBuffer packed, int code) {
        if (code < 60) {
            return code + 1;
        }
        int length = 0;
        for (int i = 0; i < code - 59; i++) {
            length |= (packed.get() & 0xff) << (8 * i);
        }
        return length + 1;
    }
}
