package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.ValueType;
import io.hiroba.records.transfer.ParquetType.CellText;
import io.hiroba.records.transfer.ThriftInput.BrokenException;
import io.hiroba.records.transfer.ThriftInput.Struct;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A column of a Parquet file, of which values are read one after the other: a page and its dictionary are in memory. */
final class ParquetColumn {

    private static final int MAX_PAGE = 64 << 20;
    private static final int MAX_HEADER_VALUES = 10_000;

    /** What a value of a dictionary takes beside its text. */
    private static final int VALUE_OVERHEAD = 64;

    private static final int PLAIN = 0;
    private static final int RLE = 3;

    private final String name;
    private final ParquetType type;
    private final Shape shape;
    private final Memory memory;

    private ByteBuffer chunk = ByteBuffer.allocate(0);
    private int codec;
    private long valuesToCome;
    private List<CellText> dictionary = List.of();
    private long heldByDictionary;
    private long heldByPage;

    private int entries;
    private RunLengths definitions = none();
    private RunLengths repetitions = none();
    private @Nullable RunLengths indices;
    private ByteBuffer values = ByteBuffer.allocate(0);
    private int bits;
    private int repetition = -1;

    /**
     * The nesting of a column.
     *
     * @param definition the level of a value that is there
     * @param repeated the level of a list that has an element; 0 for no list
     */
    record Shape(int definition, int repeated) {

        boolean isList() {
            return repeated > 0;
        }
    }

    /** The memory that all columns of a file share. */
    static final class Memory {

        private static final long MAX = 256L << 20;

        private long used;

        void take(long bytes) {
            used += bytes;
            if (used > MAX) {
                throw new MalformedFileException(1, Text.of("records.transfer.parquet-memory"));
            }
        }
    }

    ParquetColumn(String name, ParquetType type, Shape shape, Memory memory) {
        this.name = name;
        this.type = type;
        this.shape = shape;
        this.memory = memory;
    }

    private static RunLengths none() {
        return new RunLengths(ByteBuffer.allocate(0), 0);
    }

    String name() {
        return name;
    }

    /** Goes to the next group of rows. */
    void open(Struct meta, ByteBuffer file) {
        if (meta.number(1) != type.physical() || hasEntry()) {
            throw new BrokenException("a column of another type or length");
        }
        codec = (int) meta.number(4);
        valuesToCome = meta.number(5);
        long data = meta.number(9);
        long first = meta.number(11, 0);
        long start = first > 0 && first < data ? first : data;
        chunk = file.slice(Math.toIntExact(start), Math.toIntExact(meta.number(7)));
        dictionary = List.of();
        memory.take(-heldByDictionary);
        heldByDictionary = 0;
    }

    /** The value of the next row. */
    CellText next() {
        if (!hasEntry()) {
            throw new BrokenException("a column ends too early");
        }
        return shape.isList() ? list() : entry(definitions.next());
    }

    private CellText entry(int definition) {
        entries--;
        return definition == shape.definition() ? value() : CellText.NONE;
    }

    private CellText list() {
        if (peekRepetition() != 0) {
            throw new BrokenException("a list without a beginning");
        }
        var list = Documents.exact().createArrayNode();
        boolean isThere = false;
        do {
            repetition = -1;
            int definition = definitions.next();
            isThere |= definition >= shape.repeated() - 1;
            var value = entry(definition);
            if (definition == shape.definition() && !value.equals(CellText.NONE)) {
                switch (value.type()) {
                    case NUMERIC -> list.add(new BigDecimal(value.text()));
                    case BOOL -> list.add(Boolean.parseBoolean(value.text()));
                    default -> list.add(value.text());
                }
            }
        } while (hasEntry() && peekRepetition() == 1);
        return isThere ? new CellText(list.toString(), ValueType.JSONB) : CellText.NONE;
    }

    private int peekRepetition() {
        if (repetition < 0) {
            repetition = repetitions.next();
        }
        return repetition;
    }

    private CellText value() {
        if (indices != null) {
            return dictionary.get(indices.next());
        }
        if (type.physical() == 0) {
            int bit = bits++;
            return flag((values.get(bit / 8) >> bit % 8 & 1) == 1);
        }
        return type.read(values);
    }

    private static CellText flag(boolean value) {
        return new CellText(Boolean.toString(value), ValueType.BOOL);
    }

    private boolean hasEntry() {
        while (entries == 0) {
            if (valuesToCome <= 0) {
                return false;
            }
            page();
        }
        return true;
    }

    private void page() {
        var header = ThriftInput.read(chunk, MAX_HEADER_VALUES);
        long size = header.number(2);
        long packed = header.number(3);
        if (packed < 0 || packed > chunk.remaining() || size < 0 || size > MAX_PAGE) {
            throw new BrokenException("no such page");
        }
        var payload = chunk.slice(chunk.position(), (int) packed);
        chunk.position(chunk.position() + (int) packed);
        switch ((int) header.number(1)) {
            case 0 -> page(header.struct(5), payload, (int) size);
            case 2 -> dictionary(header.struct(7), payload, (int) size);
            case 3 -> laterPage(header.struct(8), payload, (int) size);
            default -> {
                // An index, which only helps to skip.
            }
        }
    }

    private void dictionary(Struct head, ByteBuffer payload, int size) {
        long count = head.number(1);
        var in = unpacked(payload, size);
        long needed = size + count * VALUE_OVERHEAD;
        if (count < 0 || count > size + 1L) {
            throw new BrokenException("a dictionary of nothing");
        }
        memory.take(needed - heldByDictionary);
        heldByDictionary = needed;
        var read = new ArrayList<CellText>((int) count);
        for (long i = 0; i < count; i++) {
            read.add(type.physical() == 0 ? flag(in.get() != 0) : type.read(in));
        }
        dictionary = read;
    }

    private void page(Struct head, ByteBuffer payload, int size) {
        holdPage(size);
        var in = unpacked(payload, size);
        begin(head.number(1));
        repetitions = shape.isList() ? levels(in, 1) : none();
        definitions = shape.definition() > 0 ? levels(in, shape.definition()) : none();
        values((int) head.number(2), in);
    }

    /** A page of the second version, whose levels are not packed. */
    private void laterPage(Struct head, ByteBuffer payload, int size) {
        holdPage(size);
        begin(head.number(1));
        int definitionBytes = (int) head.number(5);
        int repetitionBytes = (int) head.number(6);
        repetitions = new RunLengths(payload.slice(0, repetitionBytes), shape.isList() ? 1 : 0);
        definitions = new RunLengths(payload.slice(repetitionBytes, definitionBytes), width(shape.definition()));
        int levels = repetitionBytes + definitionBytes;
        var rest = payload.slice(levels, payload.limit() - levels);
        values((int) head.number(4), head.flag(7, true) ? unpacked(rest, size - levels) : rest);
    }

    private void holdPage(int size) {
        memory.take(size - heldByPage);
        heldByPage = size;
    }

    private void begin(long count) {
        if (count < 0 || count > valuesToCome) {
            throw new BrokenException("a page of more than there is");
        }
        entries = (int) count;
        valuesToCome -= count;
        bits = 0;
    }

    private static int width(int max) {
        return 32 - Integer.numberOfLeadingZeros(max);
    }

    private static RunLengths levels(ByteBuffer in, int max) {
        return new RunLengths(sized(in), width(max));
    }

    private static ByteBuffer sized(ByteBuffer in) {
        int length = in.order(ByteOrder.LITTLE_ENDIAN).getInt();
        var slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        return slice;
    }

    private void values(int encoding, ByteBuffer in) {
        values = in.slice();
        indices = switch (encoding) {
            case PLAIN -> null;
            case 2, 8 -> in.hasRemaining() ? new RunLengths(in, in.get()) : none();
            case RLE -> {
                if (type.physical() != 0) {
                    throw unknown();
                }
                dictionary = List.of(flag(false), flag(true));
                yield new RunLengths(sized(in), 1);
            }
            default -> throw unknown();
        };
    }

    private MalformedFileException unknown() {
        return new MalformedFileException(1, Text.of("records.transfer.parquet-encoding", "column", name));
    }

    private ByteBuffer unpacked(ByteBuffer packed, int size) {
        if (size == 0) {
            return ByteBuffer.allocate(0);
        }
        return switch (codec) {
            case 0 -> packed;
            case 1 -> ByteBuffer.wrap(Snappy.unpack(packed, size));
            case 2 -> {
                var bytes = new byte[packed.remaining()];
                packed.get(bytes);
                try (var gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                    var unpacked = gzip.readNBytes(size);
                    if (unpacked.length < size) {
                        throw new BrokenException("it ends too early");
                    }
                    yield ByteBuffer.wrap(unpacked);
                } catch (IOException e) {
                    throw new BrokenException("no gzip");
                }
            }
            default -> throw unknown();
        };
    }
}
