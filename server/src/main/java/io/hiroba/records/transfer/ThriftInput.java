package io.hiroba.records.transfer;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads structures of Thrift's compact protocol: numbers, texts, lists and structures by the numbers of their fields. */
final class ThriftInput {

    private static final int MAX_DEPTH = 20;

    private final ByteBuffer in;
    private final String reason;
    private int values;
    private final int maxValues;

    private ThriftInput(ByteBuffer in, int maxValues) {
        this.in = in;
        this.maxValues = maxValues;
        this.reason = "no structure";
    }

    /** A structure that is not what it should be. */
    static final class BrokenException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BrokenException(String message) {
            super(message, null, false, false);
        }
    }

    /** The fields of a structure. */
    record Struct(Map<Integer, Object> fields) {

        boolean has(int field) {
            return fields.containsKey(field);
        }

        long number(int field) {
            if (fields.get(field) instanceof Long number) {
                return number;
            }
            throw missing();
        }

        long number(int field, long otherwise) {
            return fields.get(field) instanceof Long number ? number : otherwise;
        }

        String text(int field) {
            if (fields.get(field) instanceof byte[] bytes) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
            throw missing();
        }

        boolean flag(int field, boolean otherwise) {
            return fields.get(field) instanceof Boolean flag ? flag : otherwise;
        }

        Struct struct(int field) {
            return struct(fields.get(field));
        }

        List<Struct> structs(int field) {
            var list = fields.get(field) instanceof List<?> found ? found : List.of();
            var structs = new ArrayList<Struct>(list.size());
            for (var each : list) {
                structs.add(struct(each));
            }
            return structs;
        }

        private static Struct struct(@Nullable Object value) {
            if (value instanceof Struct struct) {
                return struct;
            }
            throw missing();
        }

        private static BrokenException missing() {
            return new BrokenException("a field is missing");
        }
    }

    /**
     * Reads a structure at the position of {@code in}, which is after it then.
     *
     * @param maxValues the most values that are read
     */
    static Struct read(ByteBuffer in, int maxValues) {
        try {
            return new ThriftInput(in, maxValues).struct(0);
        } catch (BufferUnderflowException e) {
            throw new BrokenException("it ends too early");
        }
    }

    private Struct struct(int depth) {
        var fields = new HashMap<Integer, Object>();
        int last = 0;
        while (true) {
            int head = in.get() & 0xff;
            if (head == 0) {
                return new Struct(fields);
            }
            if (++values > maxValues) {
                throw new BrokenException(reason);
            }
            int delta = head >> 4;
            last = delta == 0 ? (int) zigzag() : last + delta;
            int type = head & 0x0f;
            var value = type == 1 || type == 2 ? (Object) (type == 1) : value(type, depth + 1);
            if (value != null) {
                fields.put(last, value);
            }
        }
    }

    private @Nullable Object value(int type, int depth) {
        if (depth > MAX_DEPTH || ++values > maxValues) {
            throw new BrokenException(reason);
        }
        return switch (type) {
            case 1, 2 -> in.get() == 1;
            case 3 -> (long) in.get();
            case 4, 5, 6 -> zigzag();
            case 7 -> {
                in.getLong();
                yield null;
            }
            case 8 -> bytes();
            case 9, 10 -> list(depth);
            case 12 -> struct(depth);
            default -> throw new BrokenException(reason);
        };
    }

    private List<Object> list(int depth) {
        int head = in.get() & 0xff;
        long size = head >> 4 == 15 ? varint() : head >> 4;
        var list = new ArrayList<Object>();
        for (long i = 0; i < size; i++) {
            var value = value(head & 0x0f, depth + 1);
            if (value != null) {
                list.add(value);
            }
        }
        return list;
    }

    private byte[] bytes() {
        long length = varint();
        if (length < 0 || length > in.remaining()) {
            throw new BrokenException("it ends too early");
        }
        var bytes = new byte[(int) length];
        in.get(bytes);
        return bytes;
    }

    private long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            long next = in.get();
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new BrokenException(reason);
    }
}
