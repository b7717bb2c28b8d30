package io.hiroba.records.transfer;

import io.hiroba.records.ValueType;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.transfer.ExportFields.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as a Parquet file, a group of rows after the other. The types of its columns follow from those of the attributes alone, so
 * that each export of a schema has the same. A file that breaks off has no footer, and is none.
 */
final class ParquetRecordWriter implements RecordWriter {

    static final String MAGIC = "PAR1";

    /** A group of rows ends when its values have so many bytes; each column is kept until then. */
    private static final int GROUP_BYTES = 4 << 20;

    private static final int GZIP = 2;
    private static final int PLAIN = 0;
    private static final int RLE = 3;

    private final Exports.Style style;
    private final OutputStream out;
    private final List<Column> columns = new ArrayList<>();
    private final List<Consumer<ThriftOutput>> groups = new ArrayList<>();
    private long position;
    private long rows;
    private long rowsOfGroup;

    ParquetRecordWriter(Exports.Style style, ExportFields fields, OutputStream out) throws IOException {
        this.style = style;
        this.out = out;
        if (style.ids()) {
            columns.add(new Column("", ID, Kind.TEXT));
        }
        fields.names().forEach((key, name) -> columns.add(new Column(key, name, kind(fields.type(key)))));
        put(MAGIC.getBytes(StandardCharsets.US_ASCII));
    }

    /** A type of columns: Parquet's physical type, and what says the logical one, in the old way and in the new. */
    private enum Kind {
        TEXT(6, 0, 1),
        JSON(6, 19, 12),
        /** As doubles, which is what most programs calculate with. */
        NUMBER(5, -1, -1),
        DAY(1, 6, 6),
        MOMENT(2, 10, 8),
        FLAG(0, -1, -1),
        /** A list of texts. */
        LIST(6, 0, 1);

        private final int physical;
        private final int converted;
        private final int logical;

        Kind(int physical, int converted, int logical) {
            this.physical = physical;
            this.converted = converted;
            this.logical = logical;
        }

        /** The fields of a schema element that say the type. */
        void describe(ThriftOutput element) {
            if (converted >= 0) {
                element.i32(6, converted);
            }
            if (this == MOMENT) {
                element.struct(
                        10,
                        type -> type.struct(
                                logical, moment -> moment.flag(1, true).struct(2, unit -> unit.struct(2, _ -> {}))));
            } else if (logical >= 0) {
                element.struct(10, type -> type.struct(logical, _ -> {}));
            }
        }
    }

    private Kind kind(ValueType type) {
        return switch (type) {
            case TEXT -> Kind.TEXT;
            case NUMERIC -> style.raw() ? Kind.TEXT : Kind.NUMBER;
            case DATE -> Kind.DAY;
            case DATETIME -> Kind.MOMENT;
            case BOOL -> Kind.FLAG;
            case JSONB -> Kind.JSON;
            case MULTI_SELECT -> Kind.LIST;
        };
    }

    /** The values of a column in the group that is being collected. */
    private static final class Column {

        private final String key;
        private final String name;
        private final Kind kind;
        private ByteArrayOutputStream values = new ByteArrayOutputStream();
        private final Levels definitions = new Levels();
        private final Levels repetitions = new Levels();
        private int flags;

        Column(String key, String name, Kind kind) {
            this.key = key;
            this.name = name;
            this.kind = kind;
        }

        boolean isList() {
            return kind == Kind.LIST;
        }

        void add(@Nullable Value value) {
            if (value == null) {
                level(0, 0);
                return;
            }
            var shown = value.shown();
            switch (kind) {
                case LIST -> {
                    int repetition = 0;
                    for (var each : shown) {
                        level(2, repetition);
                        bytes(each.asString(""));
                        repetition = 1;
                    }
                    if (repetition == 0) {
                        level(1, 0);
                    }
                    return;
                }
                case NUMBER -> fixed(8).putDouble(shown.decimalValue().doubleValue());
                case DAY ->
                    fixed(4).putInt((int) LocalDate.parse(shown.asString("")).toEpochDay());
                case MOMENT ->
                    fixed(8).putLong(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(shown.asString(""))));
                case FLAG -> flag(shown.booleanValue());
                case TEXT ->
                    bytes(
                            value.type() == ValueType.NUMERIC
                                    ? shown.decimalValue().toPlainString()
                                    : shown.stringValue());
                case JSON -> bytes(shown.toString());
            }
            flush();
            level(1, 0);
        }

        void text(String text) {
            bytes(text);
            level(1, 0);
        }

        private void level(int definition, int repetition) {
            definitions.add(definition);
            repetitions.add(repetition);
        }

        private ByteBuffer pending = ByteBuffer.allocate(0);

        private ByteBuffer fixed(int size) {
            pending = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
            return pending;
        }

        private void flush() {
            values.write(pending.array(), 0, pending.position());
            pending = ByteBuffer.allocate(0);
        }

        private void bytes(String text) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            fixed(4).putInt(bytes.length);
            flush();
            values.writeBytes(bytes);
        }

        /** Bits are packed, the first in the lowest place. */
        private void flag(boolean value) {
            int bit = flags++ % 8;
            if (bit == 0) {
                packed = 0;
            }
            packed |= value ? 1 << bit : 0;
            if (bit == 7) {
                values.write(packed);
            }
        }

        private int packed;

        long size() {
            return (long) values.size() + definitions.size() + repetitions.size();
        }

        /** Writes the page of the group, of which nothing is left here then; how many bytes it has. */
        int writeTo(OutputStream page) throws IOException {
            if (flags % 8 != 0) {
                values.write(packed);
            }
            int size = values.size();
            if (isList()) {
                size += repetitions.writeTo(page);
            }
            size += definitions.writeTo(page);
            values.writeTo(page);
            values = new ByteArrayOutputStream();
            flags = 0;
            return size;
        }

        int count() {
            return definitions.count();
        }

        List<String> path() {
            return isList() ? List.of(name, "list", "element") : List.of(name);
        }
    }

    /** Levels of values, as runs of equal ones. */
    private static final class Levels {

        private final ByteArrayOutputStream runs = new ByteArrayOutputStream();
        private int level;
        private int run;
        private int count;

        void add(int next) {
            if (next != level) {
                end();
                level = next;
            }
            run++;
            count++;
        }

        private void end() {
            if (run > 0) {
                int head = run << 1;
                for (; head > 0x7f; head >>>= 7) {
                    runs.write((head & 0x7f) | 0x80);
                }
                runs.write(head);
                runs.write(level);
            }
            run = 0;
        }

        int count() {
            return count;
        }

        int size() {
            return runs.size();
        }

        int writeTo(OutputStream page) throws IOException {
            end();
            var length = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
            page.write(length.putInt(runs.size()).array());
            runs.writeTo(page);
            int size = 4 + runs.size();
            runs.reset();
            level = 0;
            count = 0;
            return size;
        }
    }

    @Override
    public void write(QueryResult page, Map<String, String> called) throws IOException {
        for (var row : page.rows()) {
            var values = ExportFields.values(page, row, called);
            for (var column : columns) {
                if (column.key.isEmpty()) {
                    column.text(row.id().toString());
                } else {
                    column.add(values.get(column.key));
                }
            }
            rowsOfGroup++;
            if (columns.stream().mapToLong(Column::size).sum() > GROUP_BYTES) {
                endGroup();
            }
        }
        // To notice a client that disconnected.
        out.flush();
    }

    private void endGroup() throws IOException {
        if (rowsOfGroup == 0) {
            return;
        }
        var chunks = new ArrayList<Consumer<ThriftOutput>>();
        long total = 0;
        for (var column : columns) {
            int count = column.count();
            var packed = new ByteArrayOutputStream();
            int size;
            try (var gzip = new GZIPOutputStream(packed)) {
                size = column.writeTo(gzip);
            }
            var head = ThriftOutput.struct(header -> header.i32(1, 0)
                    .i32(2, size)
                    .i32(3, packed.size())
                    .struct(
                            5,
                            data -> data.i32(1, count).i32(2, PLAIN).i32(3, RLE).i32(4, RLE)));
            long start = position;
            put(head);
            packed.writeTo(out);
            position += packed.size();
            long written = position - start;
            long unpacked = (long) head.length + size;
            total += unpacked;
            chunks.add(chunk -> chunk.i64(2, start)
                    .struct(
                            3,
                            meta -> meta.i32(1, column.kind.physical)
                                    .numbers(2, PLAIN, RLE)
                                    .texts(3, column.path())
                                    .i32(4, GZIP)
                                    .i64(5, count)
                                    .i64(6, unpacked)
                                    .i64(7, written)
                                    .i64(9, start)));
        }
        long bytes = total;
        long count = rowsOfGroup;
        groups.add(group -> group.structs(1, chunks).i64(2, bytes).i64(3, count));
        rows += rowsOfGroup;
        rowsOfGroup = 0;
    }

    @Override
    public void close() throws IOException {
        endGroup();
        var elements = new ArrayList<Consumer<ThriftOutput>>();
        elements.add(root -> root.text(4, "records").i32(5, columns.size()));
        for (var column : columns) {
            if (column.isList()) {
                elements.add(list -> list.i32(3, 1)
                        .text(4, column.name)
                        .i32(5, 1)
                        .i32(6, 3)
                        .struct(10, type -> type.struct(3, _ -> {})));
                elements.add(repeated -> repeated.i32(3, 2).text(4, "list").i32(5, 1));
                elements.add(element(column, "element", 0));
            } else {
                elements.add(element(column, column.name, 1));
            }
        }
        var footer = ThriftOutput.struct(meta -> meta.i32(1, 1)
                .structs(2, elements)
                .i64(3, rows)
                .structs(4, groups)
                .text(6, "Hiroba"));
        put(footer);
        put(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(footer.length)
                .array());
        put(MAGIC.getBytes(StandardCharsets.US_ASCII));
        out.close();
    }

    /** @param repetition 0 for a value that is there, 1 for one that may be missing */
    private static Consumer<ThriftOutput> element(Column column, String name, int repetition) {
        return element -> {
            element.i32(1, column.kind.physical).i32(3, repetition).text(4, name);
            column.kind.describe(element);
        };
    }

    private void put(byte[] bytes) throws IOException {
        out.write(bytes);
        position += bytes.length;
    }
}
