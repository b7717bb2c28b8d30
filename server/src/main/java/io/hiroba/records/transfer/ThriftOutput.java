package io.hiroba.records.transfer;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Writes structures of Thrift's compact protocol, in which Parquet describes its files. */
final class ThriftOutput {

    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Deque<Integer> outer = new ArrayDeque<>();
    private int last;

    /** A structure by itself. */
    static byte[] struct(Consumer<ThriftOutput> fields) {
        var made = new ThriftOutput();
        fields.accept(made);
        made.out.write(0);
        return made.out.toByteArray();
    }

    ThriftOutput i32(int field, int value) {
        head(field, I32);
        zigzag(value);
        return this;
    }

    ThriftOutput i64(int field, long value) {
        head(field, I64);
        zigzag(value);
        return this;
    }

    ThriftOutput flag(int field, boolean value) {
        head(field, value ? 1 : 2);
        return this;
    }

    ThriftOutput text(int field, String value) {
        head(field, BINARY);
        text(value);
        return this;
    }

    ThriftOutput struct(int field, Consumer<ThriftOutput> fields) {
        head(field, STRUCT);
        nested(fields);
        return this;
    }

    ThriftOutput structs(int field, List<? extends Consumer<ThriftOutput>> values) {
        list(field, STRUCT, values.size());
        values.forEach(this::nested);
        return this;
    }

    ThriftOutput numbers(int field, int... values) {
        list(field, I32, values.length);
        for (int value : values) {
            zigzag(value);
        }
        return this;
    }

    ThriftOutput texts(int field, List<String> values) {
        list(field, BINARY, values.size());
        values.forEach(this::text);
        return this;
    }

    private void nested(Consumer<ThriftOutput> fields) {
        outer.push(last);
        last = 0;
        fields.accept(this);
        out.write(0);
        last = outer.pop();
    }

    private void head(int field, int type) {
        int delta = field - last;
        if (delta > 0 && delta <= 15) {
            out.write(delta << 4 | type);
        } else {
            out.write(type);
            zigzag(field);
        }
        last = field;
    }

    private void list(int field, int type, int size) {
        head(field, LIST);
        if (size < 15) {
            out.write(size << 4 | type);
        } else {
            out.write(0xf0 | type);
            varint(size);
        }
    }

    private void text(String value) {
        var bytes = value.getBytes(StandardCharsets.UTF_8);
        varint(bytes.length);
        out.writeBytes(bytes);
    }

    private void zigzag(long value) {
        varint(value << 1 ^ value >> 63);
    }

    private void varint(long value) {
        long rest = value;
        for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
            out.write((int) ((rest & 0x7f) | 0x80));
        }
        out.write((int) rest);
    }
}
