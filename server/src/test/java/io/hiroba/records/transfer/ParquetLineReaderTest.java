package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.records.ValueType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Parquet files as other programs write them, and as somebody does who means harm. */
class ParquetLineReaderTest {

    private static final ImportOptions OPTIONS = new ImportOptions(FileFormat.PARQUET, ",", "UTC", false, false, null);
    private static final int TEXT = 6;
    private static final int DICTIONARY_PAGE = 2;
    private static final int PLAIN = 0;
    private static final int RLE = 3;
    private static final int RLE_DICTIONARY = 8;

    private static final List<Consumer<ThriftOutput>> ONE_TEXT = List.of(
            root(), column -> column.i32(1, TEXT).i32(3, 1).text(4, "name").i32(6, 0));
    private static final List<Consumer<ThriftOutput>> A_LIST = List.of(
            root(),
            list -> list.i32(3, 1).text(4, "tags").i32(5, 1).i32(6, 3),
            repeated -> repeated.i32(3, 2).text(4, "list").i32(5, 1),
            element -> element.i32(1, TEXT).i32(3, 1).text(4, "element").i32(6, 0));

    private static Consumer<ThriftOutput> root() {
        return root -> root.text(4, "schema").i32(5, 1);
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (var part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] number(int number) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(number)
                .array();
    }

    private static byte[] sized(byte[] content) {
        return joined(number(content.length), content);
    }

    private static byte[] text(String text) {
        return sized(text.getBytes(StandardCharsets.UTF_8));
    }

    /** {@code times} times the same level or index of up to eight bits. */
    private static byte[] run(long times, int value) {
        var run = new ByteArrayOutputStream();
        long head = times << 1;
        for (; head > 0x7f; head >>>= 7) {
            run.write((int) (head & 0x7f | 0x80));
        }
        run.write((int) head);
        run.write(value);
        return run.toByteArray();
    }

    private static byte[] dictionary(String... words) {
        var content = new ByteArrayOutputStream();
        for (var word : words) {
            content.writeBytes(text(word));
        }
        return joined(
                header(
                        DICTIONARY_PAGE,
                        content.size(),
                        7,
                        head -> head.i32(1, words.length).i32(2, PLAIN)),
                content.toByteArray());
    }

    private static byte[] page(int values, byte[] content) {
        return page(values, RLE_DICTIONARY, content);
    }

    private static byte[] page(int values, int encoding, byte[] content) {
        return joined(
                header(
                        0,
                        content.length,
                        5,
                        head -> head.i32(1, values).i32(2, encoding).i32(3, RLE).i32(4, RLE)),
                content);
    }

    private static byte[] header(int type, int size, int field, Consumer<ThriftOutput> head) {
        return ThriftOutput.struct(
                header -> header.i32(1, type).i32(2, size).i32(3, size).struct(field, head));
    }

    private static byte[] file(
            List<Consumer<ThriftOutput>> schema, byte[] dictionary, byte[] pages, long values, long... groups) {
        return packed(0, schema, dictionary, pages, values, groups);
    }

    private static byte[] packed(
            int codec,
            List<Consumer<ThriftOutput>> schema,
            byte[] dictionary,
            byte[] pages,
            long values,
            long... groups) {
        var chunk = joined(dictionary, pages);
        var rows = new ArrayList<Consumer<ThriftOutput>>();
        for (long group : groups) {
            rows.add(each -> each.structs(
                            1,
                            List.of(of -> of.i64(2, 4)
                                    .struct(
                                            3,
                                            meta -> meta.i32(1, TEXT)
                                                    .numbers(2, PLAIN, RLE_DICTIONARY)
                                                    .texts(3, List.of("column"))
                                                    .i32(4, codec)
                                                    .i64(5, values)
                                                    .i64(6, chunk.length)
                                                    .i64(7, chunk.length)
                                                    .i64(9, 4L + dictionary.length)
                                                    .i64(11, 4))))
                    .i64(2, chunk.length)
                    .i64(3, group));
        }
        var footer = ThriftOutput.struct(
                meta -> meta.i32(1, 1).structs(2, schema).i64(3, 1).structs(4, rows));
        var magic = "PAR1".getBytes(StandardCharsets.US_ASCII);
        return joined(magic, chunk, footer, number(footer.length), magic);
    }

    private static List<String> read(byte[] file) {
        var read = new ArrayList<String>();
        try (var lines = new ParquetLineReader(new ByteArrayInputStream(file), OPTIONS)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                read.add(((FileLine.Cells) line.get()).values().getFirst());
            }
        }
        return read;
    }

    private static void assertRefused(byte[] file) {
        assertThatThrownBy(() -> read(file)).isInstanceOf(MalformedFileException.class);
    }

    @Test
    void valuesComeFromTheDictionaryOfTheirGroup() {
        // Four values, one of them missing; indices of a bit each, packed.
        var definitions = sized(joined(run(2, 1), run(1, 0), run(1, 1)));
        var page = page(4, joined(definitions, new byte[] {1, 3, 0b010}));
        var empty = page(0, new byte[0]);
        var file = file(ONE_TEXT, dictionary("Ann", "Bob"), joined(empty, page), 4, 4, 4);
        assertThat(read(file)).containsExactly("Ann", "Bob", "", "Ann", "Ann", "Bob", "", "Ann");

        var list = page(
                3,
                joined(sized(joined(run(1, 0), run(1, 1), run(1, 0))), sized(joined(run(2, 3), run(1, 0))), new byte[] {
                    1, 3, 1
                }));
        assertThat(read(file(A_LIST, dictionary("b", "a"), list, 3, 2))).containsExactly("[\"a\",\"b\"]", "");
    }

    @Test
    void aMissingElementKeepsItsPlace() {
        var lengths = joined(run(1, 0), run(2, 1), run(1, 0), run(1, 0));
        var levels = joined(run(1, 3), run(1, 2), run(1, 3), run(1, 1), run(1, 2));
        var list = page(5, joined(sized(lengths), sized(levels), new byte[] {1, 3, 0b10}));
        assertThat(read(file(A_LIST, dictionary("a", ""), list, 5, 3)))
                .containsExactly("[\"a\",null,\"\"]", "[]", "[null]");
    }

    @Test
    void bytesAreNotCalledDamaged() {
        var dictionary = joined(
                header(DICTIONARY_PAGE, 6, 7, head -> head.i32(1, 1).i32(2, PLAIN)),
                sized(new byte[] {(byte) 0xc3, 0x28}));
        var page = page(1, joined(sized(run(1, 1)), new byte[] {1, 2, 0}));
        var bytes = List.of(root(), column -> column.i32(1, TEXT).i32(3, 1).text(4, "photo"));
        assertThatThrownBy(() -> read(file(bytes, dictionary, page, 1, 1)))
                .hasMessageContaining("photo")
                .hasMessageContaining("bytes");
        assertThatThrownBy(() -> read(file(ONE_TEXT, dictionary, page, 1, 1))).hasMessageContaining("damaged");
    }

    @Test
    void aColumnThatIsLeftOutNeedNotBeReadable() {
        var bytes = List.<Consumer<ThriftOutput>>of(
                root(), column -> column.i32(1, 7).i32(2, 16).i32(3, 1).text(4, "photo"));
        var file = file(bytes, dictionary("Ann"), page(1, new byte[0]), 1, 1);
        assertThatThrownBy(() -> read(file)).hasMessageContaining("photo").hasMessageContaining("leave it out");
        var without = OPTIONS.withColumns(Map.of("photo", ""));
        try (var lines = new ParquetLineReader(new ByteArrayInputStream(file), without)) {
            assertThat(lines.columns()).containsExactly("photo");
            assertThat(lines.next()).contains(new FileLine.Cells(1, List.of(""), List.of(ValueType.TEXT)));
        }
    }

    @Test
    void aWayOfPackingThatIsNotReadIsNamed() {
        var page = page(1, joined(sized(run(1, 1)), new byte[] {1, 2, 0}));
        assertThatThrownBy(() -> read(packed(6, ONE_TEXT, dictionary("Ann"), page, 1, 1)))
                .hasMessageContaining("“name” is compressed with Zstandard");
    }

    @Test
    void aSmallFileDoesNotGrowWithoutEnd() {
        int all = Integer.MAX_VALUE;
        var lengths = joined(run(1, 0), run(all - 1L, 1));
        for (int level : List.of(3, 2)) {
            var page = page(all, joined(sized(lengths), sized(run(all, level)), new byte[] {0}));
            assertRefused(file(A_LIST, dictionary("Ann"), page, all, 1));
        }
        var twice = joined(dictionary("Ann"), page(1, joined(sized(run(1, 1)), new byte[] {0})));
        assertRefused(file(ONE_TEXT, dictionary("Ann"), twice, 1, 1));
        var none = page(all, joined(sized(run(all, 0)), new byte[] {0}));
        assertRefused(file(ONE_TEXT, dictionary("Ann"), none, all, 1L << 62, -(1L << 62)));
        assertRefused(file(ONE_TEXT, dictionary("Ann"), none, all, 1L << 62, 1L << 62, 1L << 62, 1L << 62));
    }

    @Test
    void theRowThatCannotBeReadIsToldAndThoseBeforeItAreThere() {
        int delta = 5;
        var good = page(2, joined(sized(run(2, 1)), new byte[] {1, 3, 0b10}));
        var unknown = page(2, delta, joined(sized(run(2, 1)), new byte[8]));
        var beyond = page(2, joined(sized(run(2, 1)), new byte[] {2, 3, 0b1100}));
        var rows = new ArrayList<String>();
        for (var file : List.of(
                file(ONE_TEXT, dictionary("Ann", "Bob"), joined(good, unknown), 4, 4),
                file(ONE_TEXT, dictionary("Ann", "Bob"), joined(good, beyond), 4, 4))) {
            try (var lines = new ParquetLineReader(new ByteArrayInputStream(file), OPTIONS)) {
                for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                    rows.add(((FileLine.Cells) line.get()).values().getFirst());
                }
            } catch (MalformedFileException e) {
                rows.add("line " + e.error().line());
            }
        }
        assertThat(rows).containsExactly("Ann", "Bob", "line 3", "Ann", "Bob", "Ann", "line 4");
    }

    @Test
    void aPageIsAsLongAsItSays() {
        var content = joined(sized(run(1, 1)), new byte[] {0});
        var header = ThriftOutput.struct(head -> head.i32(1, 0)
                .i32(2, 1)
                .i32(3, content.length)
                .struct(
                        5,
                        page -> page.i32(1, 1)
                                .i32(2, RLE_DICTIONARY)
                                .i32(3, RLE)
                                .i32(4, RLE)));
        assertRefused(file(ONE_TEXT, dictionary("Ann"), joined(header, content), 1, 1));
    }

    @Test
    void flagsCountAmongTheValuesOfAStructure() {
        var flags = new byte[20_000];
        Arrays.fill(flags, (byte) 0x11);
        assertThatThrownBy(() -> ThriftInput.read(ByteBuffer.wrap(flags), 10_000))
                .isInstanceOf(ThriftInput.BrokenException.class);
    }
}
