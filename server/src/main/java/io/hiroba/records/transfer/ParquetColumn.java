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
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/** A column of a Parquet file, of which values are read one after the other: a page and its dictionary are in memory. */
final class ParquetColumn {

    /** More than any writer puts into a page, the largest of which are DuckDB's with 100 MB. */
    private static final int MAX_PAGE = 128 << 20;

    /** What packing adds to a page that cannot be packed. */
    private static final int MAX_OVERHEAD = 1 << 20;

    private static final int MAX_HEADER = 1 << 20;
    private static final int MAX_HEADER_VALUES = 10_000;
    private static final int MAX_ELEMENTS = 1_000_000;

    private static final int PLAIN = 0;
    private static final int RLE = 3;
    private static final int NOT_PACKED = 0;

    /** The names of ways to pack that are not read. */
    private static final Map<Integer, String> COMPRESSIONS =
            Map.of(3, "LZO", 4, "Brotli", 5, "LZ4", 6, "Zstandard", 7, "LZ4");

    private final String name;
    private final ParquetType type;
    private final Shape shape;
    private final Memory memory;

    private ByteBuffer chunk = ByteBuffer.allocate(0);
    private int codec;
    private long valuesToCome;

    /** The dictionary as it is stored, and where its values begin. */
    private ByteBuffer words = ByteBuffer.allocate(0);

    private int[] starts = {};
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
        words = ByteBuffer.allocate(0);
        starts = new int[0];
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
        int elements = 0;
        long length = 0;
        do {
            repetition = -1;
            int definition = definitions.next();
            isThere |= definition >= shape.repeated() - 1;
            var value = entry(definition);
            length += value.text().length();
            if (++elements > MAX_ELEMENTS || length > LineReader.MAX_LENGTH) {
                throw new MalformedFileException(1, Text.of("records.transfer.too-long"));
            }
            if (definition >= shape.repeated()) {
                add(list, definition == shape.definition(), value);
            }
        } while (hasEntry() && peekRepetition() == 1);
        return isThere ? new CellText(list.toString(), ValueType.JSONB) : CellText.NONE;
    }

    /** A missing element has a place in the list, too. */
    private void add(ArrayNode list, boolean isThere, CellText value) {
        if (!isThere || (value.equals(CellText.NONE) && type.isFloating())) {
            list.addNull();
            return;
        }
        switch (value.type()) {
            case NUMERIC -> list.add(new BigDecimal(value.text()));
            case BOOL -> list.add(Boolean.parseBoolean(value.text()));
            default -> list.add(value.text());
        }
    }

    private int peekRepetition() {
        if (repetition < 0) {
            repetition = repetitions.next();
        }
        return repetition;
    }

    private CellText value() {
        try {
            return stored();
        } catch (ParquetType.NoTextException e) {
            throw new MalformedFileException(1, Text.of("records.transfer.parquet-nested", "column", name));
        }
    }

    private CellText stored() {
        if (indices != null) {
            int index = indices.next();
            return type.physical() == 0 ? flag(index == 1) : type.read(words.position(starts[index]));
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
        var head = chunk.slice(chunk.position(), Math.min(chunk.remaining(), MAX_HEADER));
        var header = ThriftInput.read(head, MAX_HEADER_VALUES);
        chunk.position(chunk.position() + head.position());
        long size = header.number(2);
        long packed = header.number(3);
        if (packed < 0 || packed > chunk.remaining() || size < 0) {
            throw new BrokenException("no such page");
        }
        if (size > MAX_PAGE || packed > size + MAX_OVERHEAD) {
            throw new MalformedFileException(1, Text.of("records.transfer.parquet-memory"));
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
        if (count < 0 || count > size || starts.length > 0 || type.physical() == 0) {
            throw new BrokenException("no such dictionary");
        }
        heldByDictionary = size + count * Integer.BYTES;
        memory.take(heldByDictionary);
        words = unpacked(payload, size).slice();
        starts = new int[(int) count];
        for (int i = 0; i < count; i++) {
            starts[i] = words.position();
            type.skip(words);
        }
    }

    private void page(Struct head, ByteBuffer payload, int size) {
        if (!begin(head.number(1))) {
            return;
        }
        holdPage(size);
        var in = unpacked(payload, size);
        repetitions = shape.isList() ? levels(in, 1) : none();
        definitions = shape.definition() > 0 ? levels(in, shape.definition()) : none();
        values((int) head.number(2), in);
    }

    /** A page of the second version, whose levels are not packed. */
    private void laterPage(Struct head, ByteBuffer payload, int size) {
        if (!begin(head.number(1))) {
            return;
        }
        holdPage(size);
        int definitionBytes = (int) head.number(5);
        int repetitionBytes = (int) head.number(6);
        repetitions = new RunLengths(payload.slice(0, repetitionBytes), shape.isList() ? 1 : 0);
        definitions = new RunLengths(payload.slice(repetitionBytes, definitionBytes), width(shape.definition()));
        int levels = repetitionBytes + definitionBytes;
        if (size < levels) {
            throw new BrokenException("no such page");
        }
        var rest = payload.slice(levels, payload.limit() - levels);
        values((int) head.number(4), unpacked(head.flag(7, true) ? codec : NOT_PACKED, rest, size - levels));
    }

    private void holdPage(int size) {
        memory.take(size - heldByPage);
        heldByPage = size;
    }

    /** Whether a page has anything in it. */
    private boolean begin(long count) {
        if (count < 0 || count > valuesToCome || count > Integer.MAX_VALUE) {
            throw new BrokenException("a page of more than there is");
        }
        entries = (int) count;
        valuesToCome -= count;
        bits = 0;
        return count > 0;
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
                yield new RunLengths(sized(in), 1);
            }
            default -> throw unknown();
        };
    }

    private MalformedFileException unknown() {
        return new MalformedFileException(1, Text.of("records.transfer.parquet-encoding", "column", name));
    }

    private ByteBuffer unpacked(ByteBuffer packed, int size) {
        return unpacked(codec, packed, size);
    }

    private ByteBuffer unpacked(int by, ByteBuffer packed, int size) {
        if (size == 0) {
            return ByteBuffer.allocate(0);
        }
        return switch (by) {
            case NOT_PACKED -> {
                if (packed.remaining() != size) {
                    throw new BrokenException("another length");
                }
                yield packed;
            }
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
            default ->
                throw new MalformedFileException(
                        1,
                        Text.of(
                                "records.transfer.parquet-compression",
                                "column",
                                name,
                                "compression",
                                COMPRESSIONS.getOrDefault(by, String.valueOf(by))));
        };
    }
}
