package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ValueType;
import io.hiroba.records.transfer.ParquetColumn.Shape;
import io.hiroba.records.transfer.ParquetType.CellText;
import io.hiroba.records.transfer.ThriftInput.BrokenException;
import io.hiroba.records.transfer.ThriftInput.Struct;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a Parquet file, row by row: columns of single values and of lists of them, packed with Snappy, gzip or not at all.
 * The end of the file says where everything is, so it is copied to a temporary file, which is gone when it is closed or the process ends.
 */
final class ParquetLineReader implements LineReader {

    /** The maximum size of a file: it is looked at as one piece. */
    static final long MAX_SIZE = 1L << 30;

    private static final int MAX_COLUMNS = 6_000;
    private static final int MAX_FOOTER = 16 << 20;
    private static final int MAX_FOOTER_VALUES = 2_000_000;

    /** Rows without values take no space, so that a small file could have any number of them. */
    private static final long MAX_ROWS = 50_000_000;

    private static final int MAGIC = 0x31524150;
    private static final int TAIL = 8;
    private static final Text NO_PARQUET = Text.of("records.transfer.no-parquet");

    private final Arena arena = Arena.ofShared();
    private final ByteBuffer file;
    private final List<Place> places = new ArrayList<>();
    private final List<Struct> groups;
    private final long rows;
    /** How many columns of values there are: a structure has several. */
    private int leaves;

    private int group;
    private long rowsOfGroup;
    private long row;
    private long unpacked;

    /**
     * A column as the import knows it.
     *
     * @param leaf the place of its values in groups of rows
     * @param column null if it is left out, or cannot be read
     */
    private record Place(
            String name,
            boolean leftOut,
            int leaf,
            @Nullable ParquetColumn column) {}

    /** @param options with the columns that are left out, which need not be readable */
    ParquetLineReader(InputStream content, ImportOptions options) {
        try {
            this.file = map(content, arena).order(ByteOrder.LITTLE_ENDIAN);
            var footer = footer();
            this.groups = footer.structs(4);
            this.rows = groups.stream().mapToLong(ParquetLineReader::rowsOf).sum();
            columns(footer.structs(2), options);
            if (rows > MAX_ROWS) {
                throw new MalformedFileException(1, Text.of("records.transfer.parquet-rows", "max", MAX_ROWS));
            }
        } catch (RuntimeException e) {
            arena.close();
            throw isBroken(e) ? new MalformedFileException(1, NO_PARQUET) : e;
        }
    }

    /** Of a group; so many that their sum is refused, too, stand for more. */
    private static long rowsOf(Struct group) {
        long rows = group.number(3);
        if (rows < 0) {
            throw new BrokenException("fewer than no rows");
        }
        return Math.min(rows, MAX_ROWS + 1);
    }

    private static ByteBuffer map(InputStream content, Arena arena) {
        try {
            var copy = Files.createTempFile("import", ".parquet");
            try {
                Files.copy(content, copy, StandardCopyOption.REPLACE_EXISTING);
                try (var channel = FileChannel.open(copy, StandardOpenOption.READ)) {
                    if (channel.size() > MAX_SIZE || channel.size() < 2 * TAIL) {
                        throw new MalformedFileException(1, NO_PARQUET);
                    }
                    return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena)
                            .asByteBuffer();
                }
            } finally {
                Files.deleteIfExists(copy);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Struct footer() {
        int end = file.limit() - TAIL;
        int length = file.getInt(end);
        if (file.getInt(end + 4) != MAGIC || file.getInt(0) != MAGIC || length < 0 || length > MAX_FOOTER) {
            throw new BrokenException("no footer");
        }
        return ThriftInput.read(file.slice(end - length, length), MAX_FOOTER_VALUES);
    }

    /** Values that are out of place are told by those who find them, in their own ways. */
    private static boolean isBroken(RuntimeException e) {
        return e instanceof BrokenException
                || e instanceof BufferUnderflowException
                || e instanceof IndexOutOfBoundsException
                || e instanceof IllegalArgumentException
                || e instanceof ArithmeticException
                || e instanceof DateTimeException;
    }

    private void columns(List<Struct> elements, ImportOptions options) {
        var memory = new ParquetColumn.Memory();
        var names = new HashSet<String>();
        for (int i = 1; i < elements.size(); ) {
            var name = elements.get(i).text(4).strip();
            if (name.isEmpty() || !Utf8.isStorable(name)) {
                throw new MalformedFileException(1, Text.of("records.transfer.column-unstorable"));
            }
            if (!names.add(name)) {
                throw new MalformedFileException(1, Text.of("records.transfer.column-twice", "column", name));
            }
            if (names.size() > MAX_COLUMNS) {
                throw new MalformedFileException(1, Text.of("records.transfer.too-many-columns", "max", MAX_COLUMNS));
            }
            int end = end(elements, i);
            var leftOut = ColumnNames.isOurs(name) || options.attribute(name).isEmpty();
            places.add(
                    new Place(name, leftOut, leaves, leftOut ? null : column(name, elements.subList(i, end), memory)));
            leaves += (int) elements.subList(i, end).stream()
                    .filter(element -> element.has(1))
                    .count();
            i = end;
        }
        if (places.isEmpty()) {
            throw new BrokenException("no columns");
        }
    }

    /** Where the elements of the column that begins at {@code start} end. */
    private static int end(List<Struct> elements, int start) {
        int end = start;
        for (long open = 1; open > 0; open--) {
            long children = elements.get(end++).number(5, 0);
            if (children < 0) {
                throw new BrokenException("fewer than no elements");
            }
            open += children;
        }
        return end;
    }

    /** A column of single values or of lists of them; null for one of anything else. */
    private static @Nullable ParquetColumn column(String name, List<Struct> elements, ParquetColumn.Memory memory) {
        int depth = 0;
        int definition = 0;
        int repeated = 0;
        // From the column down to its values: a list has one or two groups above them.
        for (var element : elements) {
            long repetition = element.number(3, 0);
            definition += repetition == 0 ? 0 : 1;
            if (repetition == 2) {
                depth += repeated == 0 ? 0 : MAX_COLUMNS;
                repeated = definition;
            }
            long children = element.number(5, 0);
            if (children > 1 || (children == 1 && ++depth > 2)) {
                return null;
            }
        }
        var last = elements.getLast();
        boolean isStruct = depth > 0 && repeated == 0;
        if (depth > 2 || isStruct || !last.has(1)) {
            return null;
        }
        var type = ParquetType.of(last);
        return type.isReadable() ? new ParquetColumn(name, type, new Shape(definition, repeated), memory) : null;
    }

    private static MalformedFileException nested(String name) {
        return new MalformedFileException(1, Text.of("records.transfer.parquet-nested", "column", name));
    }

    @Override
    public List<String> columns() {
        return places.stream().map(Place::name).toList();
    }

    @Override
    public Optional<FileLine> next() {
        try {
            while (rowsOfGroup == 0) {
                if (group == groups.size()) {
                    return Optional.empty();
                }
                open(groups.get(group++));
            }
            rowsOfGroup--;
            var line = line(row + 1);
            row++;
            return Optional.of(line);
        } catch (MalformedFileException e) {
            // Columns do not know in which row they are; an import goes on from the one that is told.
            throw new MalformedFileException(row + 1, e.error().message());
        } catch (RuntimeException e) {
            throw isBroken(e) ? new MalformedFileException(row + 1, Text.of("records.transfer.parquet-corrupt")) : e;
        }
    }

    private void open(Struct next) {
        var chunks = next.structs(1);
        rowsOfGroup = next.number(3);
        if (chunks.size() != leaves) {
            throw new BrokenException("a group of other columns");
        }
        for (var place : places) {
            if (place.column() != null && rowsOfGroup > 0) {
                place.column().open(chunks.get(place.leaf()).struct(3), file);
            } else if (!place.leftOut() && place.column() == null) {
                throw nested(place.name());
            }
        }
    }

    private FileLine line(long number) {
        var values = new ArrayList<String>(places.size());
        var types = new ArrayList<ValueType>(places.size());
        long length = 0;
        for (var place : places) {
            var value = place.column() == null ? CellText.NONE : place.column().next();
            length += value.text().length();
            values.add(value.text());
            types.add(value.type());
        }
        unpacked += length + places.size();
        return length > MAX_LENGTH
                ? new FileLine.Unreadable(number, Text.of("records.transfer.too-long"))
                : new FileLine.Cells(number, values, types);
    }

    @Override
    public long unpacked(long streamed) {
        return unpacked;
    }

    @Override
    public long position(long streamed) {
        return rows == 0 ? file.limit() : Math.round(file.limit() * ((double) row / rows));
    }

    @Override
    public void close() {
        arena.close();
    }
}
