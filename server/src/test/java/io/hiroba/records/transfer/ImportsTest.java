package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.AccessRules;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(Lifecycle.PER_CLASS)
class ImportsTest {

    private final TestImports test = new TestImports();

    @AfterAll
    void close() {
        test.close();
    }

    private ProjectAccess shop() {
        var owner = test.records.project();
        test.records.schema(
                owner, "item", "name text required", "price numeric min=0", "since date", "sold bool", "more jsonb");
        return owner;
    }

    @Test
    void everyLineBecomesARecordAndTheFileGoes() {
        var owner = shop();
        var done = test.done(owner, "item", TestImports.CSV, """
                name,price,since,sold,more
                Ox,1.50,2026-01-31,yes,"{""a"": 1}"
                Cow,,,,
                """);
        assertThat(done.state()).isEqualTo(ImportState.DONE);
        assertThat(done.progress().rows()).isEqualTo(2);
        assertThat(done.percent()).isEqualTo(100);
        assertThat(test.values(owner, 1)).isEqualTo(Map.of("1.50", 1, "null", 1));
        assertThat(test.values(owner, 2)).containsKey("1769817600000000");
        assertThat(test.records.count(owner, "SELECT count(*) FROM records.\"eav_@\""))
                .isEqualTo(6);
        assertThat(test.parts(done.id())).isZero();
        assertThat(test.records.db.<Integer>read(reads -> reads.query("""
                        SELECT CAST(payload ->> 'count' AS int) FROM platform.event_logs
                        WHERE payload ->> 'importId' = :id
                        """)
                        .bind("id", done.id().hex())
                        .mapTo(Integer.class)
                        .one()))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"America/Los_Angeles", "Asia/Tokyo"})
    void aDayOfAFileIsThatDayInEveryZone(String zone) {
        var owner = test.records.project();
        var options = new ImportOptions(FileFormat.CSV, ",", zone, false, true, null);
        var done = test.done(owner, "trip", options, "day,at\n2026-08-20,2026-08-20 00:00\n");
        assertThat(done.failure()).isNull();
        var schema = test.records.catalog.refreshed(owner.tables(), "trip");
        assertThat(schema.attributes()).extracting(each -> each.type().label()).containsExactly("date", "datetime");
        var day = LocalDate.parse("2026-08-20");
        assertThat(test.values(owner, 0)).containsKey(day.toEpochDay() * 86_400 + "000000");
        assertThat(test.values(owner, 1))
                .containsKey(day.atStartOfDay(ZoneId.of(zone)).toEpochSecond() + "000000");
    }

    @Test
    void theFirstErrorEndsItAndWhatCameBeforeStays() {
        var owner = shop();
        var done = test.done(owner, "item", TestImports.CSV, "name,price\na,1\nb,-1\n,x\nd,4\n");
        assertThat(done.state()).isEqualTo(ImportState.FAILED);
        assertThat(done.failure())
                .hasToString("Line 3: `price` must be at least 0. The 1 record before it was imported: "
                        + "fix it and continue from line 3.");
        var rest = new ImportOptions(FileFormat.CSV, ",", "UTC", false, false, 3, null, null, null);
        assertThat(test.done(owner, "item", rest, "name,price\na,1\nb,1\nd,4\n").state())
                .isEqualTo(ImportState.DONE);
        assertThat(test.values(owner, 0)).isEqualTo(Map.of("a", 1, "b", 1, "d", 1));
        assertThat(test.errors(owner, done.id())).containsExactly("3 price must be at least 0");
        assertThat(test.parts(done.id())).isZero();
    }

    @Test
    void linesAtFaultArePassedOverWhereThatIsAskedFor() {
        var owner = shop();
        var done = test.done(owner, "item", TestImports.CSV_SKIPPING, "name,price\na,1\n,x\nb,2,3\nd,4\n");
        assertThat(done.state()).isEqualTo(ImportState.DONE);
        assertThat(done.progress().rows()).isEqualTo(2);
        assertThat(done.progress().errors()).isEqualTo(2);
        assertThat(test.errors(owner, done.id()))
                .containsExactly("3 price must be a number", "4  has 3 cells where 2 are named");
    }

    @Test
    void onlyTheFirstThousandErrorsAreKept() {
        var owner = shop();
        var wrong =
                IntStream.range(0, 2500).mapToObj(i -> "a,x").collect(Collectors.joining("\n", "name,price\n", "\n"));
        var done = test.done(owner, "item", TestImports.CSV_SKIPPING, wrong);
        assertThat(done.progress().errors()).isEqualTo(2500);
        assertThat(test.errors(owner, done.id())).hasSize(1000);
    }

    @Test
    void aLineWithSeveralErrorsLeavesTheNumbersOfLaterOnesFree() {
        var owner = shop();
        var good = IntStream.range(0, ImportWorker.CHUNK_LINES)
                .mapToObj(i -> "a,1,\n")
                .collect(Collectors.joining("", "name,price,since\nb,x,y\n", "c,z,\n"));
        var done = test.done(owner, "item", TestImports.CSV_SKIPPING, good);
        assertThat(done.state()).isEqualTo(ImportState.DONE);
        assertThat(done.progress().errors()).isEqualTo(2);
        assertThat(test.errors(owner, done.id()).stream().map(error -> error.replaceAll(" must.*", "")))
                .containsExactly("2 price", "2 since", "%d price".formatted(ImportWorker.CHUNK_LINES + 3));
    }

    @Test
    void aFileOfManyPartsGoesAndWhatACrashLeavesOfItIsSwept() {
        var owner = shop();
        var id = test.upload(owner, "item", TestImports.CSV, "name\na\n");
        test.records.db.useTransaction(
                tx -> tx.update("""
                INSERT INTO records.import_content (import_id, start, bytes)
                SELECT :id, n, 'x' FROM generate_series(7, 206) AS n
                """).bind("id", id.value()).execute());
        var project = owner.project().id();
        assertThat(test.imports.replace(owner.caller(), project, id, TestImports.stream("name\nb\n")))
                .isEqualTo(7);
        assertThat(test.parts(id)).isEqualTo(1);
        test.records.db.useTransaction(tx -> tx.update("UPDATE records.imports SET state = 'DONE' WHERE id = :id")
                .bind("id", id.value())
                .execute());
        new AbandonedImportSweep(test.records.db).sweep();
        assertThat(test.parts(id)).isZero();
    }

    @Test
    void aFileOfWhichNothingCanBeMadeMakesNoSchema() {
        var owner = test.records.project();
        var id = test.upload(owner, "fresh", TestImports.CSV_CREATING, "a,\"b\n1,2\n");
        assertThatThrownBy(
                        () -> test.imports.start(owner.caller(), owner.project().id(), id))
                .isInstanceOf(TransferProblem.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> test.imports.create(
                        owner.caller(),
                        owner.project().id(),
                        new Imports.NewImport("fresh", TestImports.CSV_CREATING, "", 0L)))
                .isInstanceOf(TransferProblem.class)
                .hasMessageContaining("empty");
    }

    @Test
    void bySourceEverybodyFindsTheirOwnOnly() {
        var owner = shop();
        var editor = test.records.member(owner, ProjectRole.EDITOR);
        test.upload(editor, "item", TestImports.CSV, "name\na\n");
        var project = owner.project().id();
        assertThat(test.imports.list(owner.caller(), project, null, Long.MAX_VALUE, 10))
                .hasSize(1);
        assertThat(test.imports.list(owner.caller(), project, "", Long.MAX_VALUE, 10))
                .isEmpty();
    }

    @Test
    void aValueThatMustBeUniqueIsFoundByItsLine() {
        var owner = test.records.project();
        test.records.schema(owner, "part", "code text unique", "number numeric unique");
        test.records.insert(owner, "part", "{'code':'c1','number':1.0}");
        var done = test.done(owner, "part", TestImports.CSV_SKIPPING, "code,number\nc2,2\nc1,3\nc3,1\nc2,4\nc5,5\n");
        assertThat(done.progress().rows()).isEqualTo(2);
        assertThat(test.errors(owner, done.id()).stream().map(error -> error.replaceAll(" must.*", "")))
                .containsExactly("3 code", "4 number", "5 code");
        assertThat(test.values(owner, 0).keySet()).containsExactlyInAnyOrder("c1", "c2", "c5");

        var stopped = test.done(owner, "part", TestImports.CSV, "code\nc8\nc1\nc9\n");
        assertThat(stopped.state()).isEqualTo(ImportState.FAILED);
        assertThat(stopped.failure()).asString().startsWith("Line 3: `code` must be unique");
        assertThat(test.values(owner, 0).keySet()).contains("c8").doesNotContain("c9");
    }

    @Test
    void aReferenceThatLeadsNowhereIsFoundByItsLine() {
        var owner = test.records.project();
        test.records.schema(owner, "author", "name text");
        test.records.schema(owner, "book", "title text", "author text references=\"author\"");
        var ada = test.records.one(owner, "author", "{'name':'Ada'}");
        var done = test.done(owner, "book", TestImports.CSV_SKIPPING, """
                title,author
                good,%s
                bad,01890000-0000-7000-8000-000000000000
                worse,Bob
                none,
                """.formatted(ada));
        assertThat(done.progress().rows()).isEqualTo(2);
        assertThat(test.errors(owner, done.id()))
                .containsExactly(
                        "3 author refers to no record of `author`",
                        "4 author “Bob” is neither the id nor the name of a record of `author`");
    }

    @Test
    void aSchemaIsMadeOfWhatTheValuesSeemToBe() {
        var owner = test.records.project();
        var done = test.done(owner, "sale", TestImports.CSV_CREATING, """
                Unit price,When,Code,顧客,_id
                1.5,2026-01-31 09:00,007,Ada,x
                2,2026-02-01,008,,y
                """);
        assertThat(done.failure()).isNull();
        assertThat(done.state()).isEqualTo(ImportState.DONE);
        assertThat(test.records.catalog.refreshed(owner.tables(), "sale").attributes().stream()
                        .collect(Collectors.toMap(
                                SchemaAttribute::name, each -> each.type().label())))
                .isEqualTo(Map.of("Unit price", "numeric", "When", "datetime", "Code", "text", "顧客", "text"));
        // Nine o'clock in Tokyo.
        assertThat(test.values(owner, 1)).containsKey("1769817600000000");
    }

    @Test
    void jsonKeepsItsTypesAndItsDigits() {
        var owner = test.records.project();
        var done = test.done(owner, "thing", TestImports.JSONL_CREATING, """
                {"n": 0.10, "t": "x", "d": "2026-01-31", "o": {"a": [1]}, "b": false}
                {"n": 123456789012345678901234567890.5, "t": null}
                """);
        assertThat(done.state()).isEqualTo(ImportState.DONE);
        assertThat(test.values(owner, 0).keySet())
                .containsExactlyInAnyOrder("0.10", "123456789012345678901234567890.5");
        var more = test.done(owner, "thing", TestImports.JSONL, "{\"n\": \"1\"}\n{\"z\": 1}\n{\"t\": \"a\\u0000b\"}\n");
        assertThat(more.progress().errors()).isEqualTo(3);
        assertThat(test.errors(owner, more.id())).contains("1 n must be a number", "2 z is no attribute of `thing`");
    }

    @Test
    void aPreviewTellsTypesAndErrorsAndWritesNothing() {
        var owner = shop();
        var id = test.upload(owner, "item", TestImports.CSV, "name,price\na,1\nb,x\n,2\n");
        var preview = test.imports.preview(owner.caller(), owner.project().id(), id);
        assertThat(preview.columns())
                .containsExactly(
                        new ImportPreview.Column("name", "name", "text", null, "text"),
                        new ImportPreview.Column("price", "price", "text", null, "numeric"));
        assertThat(preview.errors())
                .containsExactly(
                        new LineError(3, "price", Text.of("records.field.number")),
                        new LineError(4, "name", Text.of("http.field.required")));
        assertThat(preview.rows()).hasSize(1);
        assertThat(preview.lines()).isEqualTo(3);
        assertThat(preview.whole()).isTrue();
        assertThat(test.count(owner)).isZero();

        var fresh = test.upload(owner, "fresh", TestImports.CSV_CREATING, "Unit price\n3\n");
        var made = test.imports.preview(owner.caller(), owner.project().id(), fresh);
        assertThat(made.columns())
                .containsExactly(new ImportPreview.Column("Unit price", "Unit price", "numeric", null, null));
        assertThat(made.rows().getFirst().values().toString()).isEqualTo("{\"Unit price\":3}");
    }

    @Test
    void aPreviewTellsWhatTheStartWouldRefuse() {
        var owner = test.records.project();
        var header = IntStream.range(0, 501).mapToObj(n -> "c" + n).collect(Collectors.joining(","));
        var id = test.upload(owner, "wide", TestImports.CSV_CREATING, header + "\n" + "1,".repeat(500) + "1\n");
        var preview = test.imports.preview(owner.caller(), owner.project().id(), id);
        assertThat(preview.columns()).hasSize(501);
        assertThat(preview.errors())
                .containsExactly(new LineError(1, "attributes", Text.of("records.field.most", "max", 500)));
    }

    @Test
    void rulesBindWhoImports() {
        var owner = shop();
        test.records.schemas.setRules(owner, "item", new AccessRules(false, null, Set.of("more"), Set.of("price")));
        var editor = test.records.member(owner, ProjectRole.EDITOR);
        assertThat(test.done(editor, "item", TestImports.CSV, "name,more\na,{}\n")
                        .failure())
                .asString()
                .contains("`more`, which is no attribute");
        assertThat(test.done(editor, "item", TestImports.CSV, "name,price\na,1\n")
                        .failure())
                .asString()
                .contains("`price` is read-only for you");
        assertThat(test.done(owner, "item", TestImports.CSV, "name,price,more\na,1,{}\n")
                        .state())
                .isEqualTo(ImportState.DONE);
    }

    @Test
    void whoMayNoLongerWriteImportsNoMore() {
        var owner = shop();
        var editor = test.records.member(owner, ProjectRole.EDITOR);
        var id = test.start(editor, "item", TestImports.CSV, "name\na\n");
        test.records.projects.put(owner.caller(), owner.project().id(), editor.user(), ProjectRole.VIEWER);
        test.worker().runAll();
        assertThat(test.get(owner, id).state()).isEqualTo(ImportState.FAILED);
        assertThat(test.count(owner)).isZero();
    }

    @Test
    void strangersAndViewersAreRefused() {
        var owner = shop();
        var viewer = test.records.member(owner, ProjectRole.VIEWER);
        var editor = test.records.member(owner, ProjectRole.EDITOR);
        var other = shop();
        var id = test.upload(owner, "item", TestImports.CSV, "name\na\n");
        assertThatThrownBy(() -> test.upload(viewer, "item", TestImports.CSV, "name\n"))
                .isInstanceOf(RecordsProblem.class)
                .hasMessageContaining("editors");
        assertThatThrownBy(() -> test.upload(editor, "fresh", TestImports.CSV_CREATING, "name\n"))
                .hasMessageContaining("owners");
        assertThatThrownBy(() -> test.get(editor, id)).isInstanceOf(TransferProblem.class);
        assertThatThrownBy(() -> test.get(other, id)).isInstanceOf(TransferProblem.class);
        assertThatThrownBy(
                        () -> test.imports.start(other.caller(), owner.project().id(), id))
                .isInstanceOf(RecordsProblem.class);
    }

    @Test
    void aCancelledImportWritesNothingMore() {
        var owner = shop();
        var id = test.start(owner, "item", TestImports.CSV, "name\na\n");
        var cancelled = test.imports.cancel(owner.caller(), owner.project().id(), id);
        assertThat(cancelled.state()).isEqualTo(ImportState.CANCELLED);
        test.worker().runAll();
        assertThat(test.count(owner)).isZero();
        assertThat(test.parts(id)).isZero();
    }

    @Test
    void aFileThatNobodyGoesOnWithGoesAfterAWeek() {
        var owner = shop();
        var old = test.upload(owner, "item", TestImports.CSV, "name\na\n");
        var young = test.upload(owner, "item", TestImports.CSV, "name\nb\n");
        test.records.db.useTransaction(
                tx -> tx.update("UPDATE records.imports SET updated_at = now() - interval '8 days' WHERE id = :id")
                        .bind("id", old.value())
                        .execute());
        assertThat(new AbandonedImportSweep(test.records.db).sweep()).isEqualTo(1);
        assertThat(test.get(owner, old).state()).isEqualTo(ImportState.CANCELLED);
        assertThat(test.get(owner, young).state()).isEqualTo(ImportState.UPLOADING);
        test.imports.cancel(owner.caller(), owner.project().id(), young);
    }
}
