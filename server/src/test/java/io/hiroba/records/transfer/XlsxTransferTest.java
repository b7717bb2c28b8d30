package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.Language;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.testkit.TestQueries;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import tools.jackson.databind.node.JsonNodeFactory;

/** Workbooks and Parquet files out of schemas and into others. */
@TestInstance(Lifecycle.PER_CLASS)
class XlsxTransferTest {

    private static final String[] ATTRIBUTES = {
        "名前 text", "price numeric", "since date", "at datetime", "sold bool", "more jsonb"
    };
    private static final String[] LISTED = Stream.concat(
                    Arrays.stream(ATTRIBUTES), Stream.of("tags multi_select enum=[\"a\",\"b\"]"))
            .toArray(String[]::new);
    private static final String LETTERS = "_x0041_&<\"é日\u000b\r\n\t =\uFFFE";
    private static final String LONG_NAME = "a-schema-with-a-name-of-many-letters";
    private static final ImportOptions XLSX = xlsx("UTC", false);

    private final TestImports test = new TestImports();
    private final TestQueries queries = new TestQueries(test.records);
    private final Exports exports = new Exports(queries.queries, test.names);

    @AfterAll
    void close() {
        queries.close();
        test.close();
    }

    private static ImportOptions xlsx(String zone, boolean create) {
        return new ImportOptions(FileFormat.XLSX, ",", zone, false, create, null);
    }

    private byte[] export(ProjectAccess access, String schema, Exports.Style style) {
        var out = new ByteArrayOutputStream();
        try {
            exports.begin(access.caller(), access.project().id(), RecordQuery.all(schema), style)
                    .writeTo(out);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private String lines(ProjectAccess access, String schema) {
        var style = new Exports.Style(FileFormat.JSONL, false, true);
        return new String(export(access, schema, style), StandardCharsets.UTF_8);
    }

    private Import imported(ProjectAccess access, String schema, ImportOptions options, byte[] workbook) {
        var id = test.upload(access, schema, options, new ByteArrayInputStream(workbook));
        test.imports.start(access.caller(), access.project().id(), id);
        test.worker().runAll();
        return test.get(access, id);
    }

    private void assertRoundTrip(ProjectAccess owner, String zone) {
        var style = new Exports.Style(FileFormat.XLSX, true, false, ZoneId.of(zone), Language.ENGLISH);
        var workbook = export(owner, "item", style);
        var copy = test.records.project();
        test.records.schema(copy, "item", ATTRIBUTES);
        assertThat(imported(copy, "item", xlsx(zone, false), workbook).failure())
                .isNull();
        assertThat(lines(copy, "item")).isEqualTo(lines(owner, "item"));
        var made = test.records.project();
        assertThat(imported(made, "item", xlsx(zone, true), workbook).failure()).isNull();
        assertThat(lines(made, "item")).isEqualTo(lines(owner, "item"));
        assertThat(test.records.schemas.get(made, "item").attributes())
                .extracting(SchemaAttribute::name)
                .containsExactly("名前", "price", "since", "at", "sold", "more");
    }

    @Test
    void everyTypeComesBackAsItWas() {
        var owner = test.records.project();
        test.records.schema(owner, "item", ATTRIBUTES);
        test.records.insert(
                owner,
                "item",
                "{'名前':'茶 <&>\\t_x000D_\\r\\n\\u0007😀','price':1.50,'since':'2026-01-31','at':'2026-01-31T00:00:00Z','sold':true,'more':{'a':[1]}}",
                "{'名前':'=1+1','price':-12345678901234567890.123456789,'since':'1899-12-31','at':'2026-10-25T00:30:00Z','sold':false,'more':[]}",
                "{'名前':' x ','price':0.000001,'since':'1900-03-01','at':'2026-10-25T01:30:00.123Z','more':{'b':'x'}}",
                "{'名前':'4','price':123456789012345,'since':'9999-12-31','at':'2026-10-25T01:30:00.123456Z'}",
                "{'price':1e60}");
        assertRoundTrip(owner, "UTC");
        assertRoundTrip(owner, "Asia/Tokyo");
        assertRoundTrip(owner, "Europe/Berlin");
    }

    @Test
    void anyRecordsComeBackAsTheyWere() {
        var owner = test.records.project();
        test.records.schema(owner, "item", ATTRIBUTES);
        var random = new Random(25);
        var rows = new ArrayList<String>();
        for (int i = 0; i < 300; i++) {
            var row = JsonNodeFactory.instance.objectNode();
            row.put("名前", text(random));
            row.put("price", new BigDecimal(new BigInteger(1 + random.nextInt(80), random), random.nextInt(20)));
            row.put(
                    "since",
                    LocalDate.ofEpochDay(random.nextInt(-40_000, 2_000_000)).toString());
            row.put(
                    "at",
                    Instant.ofEpochMilli(random.nextLong(-3_000_000_000_000L, 9_000_000_000_000L))
                            .toString());
            row.put("sold", random.nextBoolean());
            row.putObject("more").put("k", text(random));
            rows.add(row.toString());
        }
        test.records.insert(owner, "item", rows.toArray(String[]::new));
        assertRoundTrip(owner, "America/New_York");
    }

    @Test
    void formattedNumbersAreShownSoInASheetAndComeBackAsTheyWere() throws IOException {
        String[] attributes = {
            "share numeric format=\"percent\"",
            "cost numeric format=\"currency\" currency=\"USD\"",
            "fee numeric format=\"currency\" currency=\"JPY\"",
            "took numeric format=\"duration\""
        };
        var owner = test.records.project();
        test.records.schema(owner, "item", attributes);
        test.records.insert(
                owner,
                "item",
                "{'share':25,'cost':1200.50,'fee':300,'took':5400}",
                "{'share':-12.345,'cost':-0.5,'took':-60}",
                "{'share':33.3333333333333,'cost':123456789012345678,'took':359999999}",
                "{'share':1000,'took':1.5}",
                "{'share':123456789012345678,'took':1}");
        var workbook = export(owner, "item", new Exports.Style(FileFormat.XLSX, false, false));
        var first = new ArrayList<FileLine>();
        try (var lines = new XlsxLineReader(new ByteArrayInputStream(workbook), XLSX)) {
            lines.next().ifPresent(first::add);
        }
        assertThat(((FileLine.Cells) first.getFirst()).values()).containsExactly("25%", "1200.50", "300", "01:30:00");
        var copy = test.records.project();
        test.records.schema(copy, "item", attributes);
        assertThat(imported(copy, "item", XLSX, workbook).failure()).isNull();
        assertThat(lines(copy, "item")).isEqualTo(lines(owner, "item"));
        var made = test.records.project();
        assertThat(imported(made, "item", xlsx("UTC", true), workbook).failure())
                .isNull();
        assertThat(test.records.schemas.get(made, "item").attribute("took").orElseThrow())
                .satisfies(took -> assertThat(took.format())
                        .isNotNull()
                        .extracting(ValueFormat::kind)
                        .isEqualTo(ValueFormat.Kind.DURATION));
        assertThat(test.values(made, 3).keySet())
                .usingElementComparator(Comparator.comparing(BigDecimal::new))
                .containsExactlyInAnyOrder("5400", "-60", "359999999", "1.5", "1");
    }

    private static ImportOptions parquet(boolean create) {
        return new ImportOptions(FileFormat.PARQUET, ",", "UTC", false, create, null);
    }

    @Test
    void everyTypeComesBackFromParquet() {
        var owner = test.records.project();
        test.records.schema(owner, "item", LISTED);
        test.records.insert(
                owner,
                "item",
                "{'名前':'茶 <&>\\t\\r\\n\\u0007😀','price':1.5,'since':'2026-01-31','at':'2026-01-31T00:00:00Z','sold':true,'more':{'a':[1]},'tags':['b','a']}",
                "{'名前':'=1+1','price':-12345678901234567890.123456789,'since':'0001-12-31','at':'1026-10-25T00:30:00.000001Z','sold':false,'tags':['a']}",
                "{'名前':' x ','price':0.000001,'at':'2026-10-25T01:30:00.123456Z','more':{'b':'x'}}",
                "{'price':1e60}",
                "{}");
        var digits = export(owner, "item", new Exports.Style(FileFormat.PARQUET, true, true));
        var copy = test.records.project();
        test.records.schema(copy, "item", LISTED);
        assertThat(imported(copy, "item", parquet(false), digits).failure()).isNull();
        assertThat(lines(copy, "item")).isEqualTo(lines(owner, "item"));
        // As doubles, which is what most programs want, with the types of their columns.
        var doubles = export(owner, "item", new Exports.Style(FileFormat.PARQUET, false, false));
        var made = test.records.project();
        assertThat(imported(made, "item", parquet(true), doubles).failure()).isNull();
        assertThat(lines(made, "item"))
                .isEqualTo(lines(owner, "item").replace("-12345678901234567890.123456789", "-12345678901234567000"));
        assertThat(test.records.schemas.get(made, "item").attributes())
                .extracting(attribute -> attribute.type().label())
                .containsExactly("text", "numeric", "date", "datetime", "bool", "jsonb", "jsonb");
    }

    @Test
    void groupsOfRowsFollowEachOther() throws IOException {
        var out = new ByteArrayOutputStream();
        var owner = test.records.project();
        test.records.schema(owner, "item", "name text", "tags text");
        var rows = IntStream.range(0, 40)
                .mapToObj(i -> "{'name': '%s', 'tags': '%d'}".formatted("x".repeat(500_000), i))
                .toArray(String[]::new);
        test.records.insert(owner, "item", rows);
        var found = queries.queries.page(
                owner.caller(), owner.project().id(), RecordQuery.all("item").limit(100));
        var style = new Exports.Style(FileFormat.PARQUET, false, false);
        try (var writer = new ParquetRecordWriter(style, ExportFields.of(found, style), out)) {
            writer.write(found, Map.of());
        }
        var read = new ArrayList<String>();
        try (var lines = new ParquetLineReader(new ByteArrayInputStream(out.toByteArray()), parquet(false))) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                read.add(((FileLine.Cells) line.get()).values().get(1));
            }
            assertThat(lines.position(0)).isEqualTo(out.size());
        }
        assertThat(read)
                .isEqualTo(IntStream.range(0, 40).mapToObj(String::valueOf).toList());
    }

    @Test
    void aDamagedParquetFileIsReadOrRefused() {
        var owner = test.records.project();
        test.records.schema(owner, "item", ATTRIBUTES);
        test.records.insert(
                owner,
                "item",
                "{'名前':'a','price':1.5,'since':'2026-01-31','at':'2026-01-31T00:00:00Z','sold':true,'more':{'a':[1]}}",
                "{'名前':'b'}");
        var good = export(owner, "item", new Exports.Style(FileFormat.PARQUET, true, false));
        assertThat(readable(good)).isEqualTo(2);
        var random = new Random(143);
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            var bad = i % 10 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
            for (int k = 0; k < 1 + i % 3 && bad.length > 0; k++) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                readable(bad);
            } catch (MalformedFileException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(500);
    }

    private static long readable(byte[] file) {
        long rows = 0;
        try (var lines = new ParquetLineReader(new ByteArrayInputStream(file), parquet(false))) {
            while (lines.next().isPresent()) {
                rows++;
            }
        }
        return rows;
    }

    private static String text(Random random) {
        var text = new StringBuilder("t");
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    @Test
    void anImportOfAWorkbookGoesOnWhereItsNodeDied() {
        var owner = test.records.project();
        test.records.schema(owner, "row", "n numeric");
        int count = ImportWorker.CHUNK_LINES * 2 + 10;
        var rows = new StringBuilder("<row><c t=\"inlineStr\"><is><t>n</t></is></c></row>");
        for (int i = 0; i < count; i++) {
            // Rows without a value are no records, and no places either.
            rows.append(i % 3 == 0 ? "<row><c/></row>" : "").append("<row><c><v>" + i + "</v></c></row>");
        }
        var id = test.upload(owner, "row", XLSX, new TestWorkbook().rows(rows.toString()).stream());
        test.imports.start(owner.caller(), owner.project().id(), id);
        var chunks = new AtomicInteger();
        var dying = test.worker(Duration.ZERO, work -> {
            if (chunks.incrementAndGet() == 2) {
                throw new StackOverflowError("killed");
            }
        });
        assertThatThrownBy(dying::runAll).hasMessage("killed");
        var half = test.get(owner, id);
        assertThat(half.progress().rows()).isEqualTo(ImportWorker.CHUNK_LINES);
        assertThat(half.percent()).isBetween(1, 98);
        test.worker().runAll();
        assertThat(test.get(owner, id).state()).isEqualTo(ImportState.DONE);
        assertThat(test.values(owner, 0))
                .hasSize(count)
                .allSatisfy((value, times) -> assertThat(times).isEqualTo(1));
    }

    @Test
    void moreRecordsThanASheetHoldsGoOnInTheNext() throws IOException {
        var owner = test.records.project();
        test.records.schema(owner, LONG_NAME, "n numeric");
        test.records.insert(owner, LONG_NAME, "{'n':1}", "{'n':2}", "{'n':3}", "{'n':4}", "{'n':5}");
        var page = queries.queries.page(owner.caller(), owner.project().id(), RecordQuery.all(LONG_NAME));
        var out = new ByteArrayOutputStream();
        var style = new Exports.Style(FileFormat.XLSX, false, false, ZoneOffset.UTC, Language.ENGLISH);
        try (var writer = new XlsxRecordWriter(style, LONG_NAME, ExportFields.of(page, style), out, 3)) {
            writer.write(page, Map.of());
        }
        var read = new ArrayList<String>();
        for (var sheet : List.of(
                "a-schema-with-a-name-of-many-le",
                "a-schema-with-a-name-of-man (2)",
                "a-schema-with-a-name-of-man (3)")) {
            try (var lines = new XlsxLineReader(new ByteArrayInputStream(out.toByteArray()), XLSX.withSheet(sheet))) {
                for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                    read.add(((FileLine.Cells) line.get()).values().getFirst());
                }
            }
        }
        assertThat(read).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void aTextThatNoCellHoldsSaysSo() {
        var owner = test.records.project();
        test.records.schema(owner, "note", "t text");
        test.records.insert(owner, "note", "{'t':'" + "語".repeat(40_000) + "'}", "{'t':'" + "x".repeat(32_767) + "'}");
        var style = new Exports.Style(FileFormat.XLSX, false, false, ZoneOffset.UTC, Language.ENGLISH);
        try (var lines = new XlsxLineReader(new ByteArrayInputStream(export(owner, "note", style)), XLSX)) {
            assertThat(((FileLine.Cells) lines.next().orElseThrow()).values().getFirst())
                    .hasSize(32_767)
                    .endsWith(
                            "語… [Cut: the text has 40,000 characters, a cell holds 32,767. CSV and JSON lines have all of it.]");
            assertThat(((FileLine.Cells) lines.next().orElseThrow()).values()).containsExactly("x".repeat(32_767));
        }
    }
}
