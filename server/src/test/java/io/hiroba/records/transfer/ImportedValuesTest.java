package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.AccessRules;
import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.ValueFormat;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Values as spreadsheets write them, members as people call them, and files that cannot be read. */
@TestInstance(Lifecycle.PER_CLASS)
class ImportedValuesTest {

    private final TestImports test = new TestImports();

    @AfterAll
    void close() {
        test.close();
    }

    private ProjectAccess shop() {
        var owner = test.records.project();
        test.records.schema(owner, "item", "name text required");
        return owner;
    }

    @Test
    void aRefusedFileTakesNoPlaceAndTheErrorNamesThoseThatDo() {
        var owner = shop();
        var project = owner.project().id();
        for (int i = 0; i <= Imports.MAX_UNFINISHED; i++) {
            var id = sized(owner, 9);
            test.imports.append(owner.caller(), project, id, 0, TestImports.stream("a,\"b\n1,2\n"));
            assertThatThrownBy(() -> test.imports.preview(owner.caller(), project, id))
                    .isInstanceOf(TransferProblem.class);
            assertThat(test.get(owner, id).state()).isEqualTo(ImportState.FAILED);
            assertThat(test.get(owner, id).failure()).asString().contains("closed");
            assertThat(test.parts(id)).isZero();
        }
        var waiting = new ArrayList<ImportId>();
        for (int i = 0; i < Imports.MAX_UNFINISHED; i++) {
            waiting.add(test.upload(owner, "item", TestImports.CSV, "name\na\n"));
        }
        assertThatThrownBy(() -> test.upload(owner, "item", TestImports.CSV, "name\na\n"))
                .hasMessageContaining("item (" + waiting.getFirst().hex() + ")");
    }

    private ImportId sized(ProjectAccess owner, long size) {
        var requested = new Imports.NewImport("item", TestImports.CSV, "", size);
        return test.imports
                .create(owner.caller(), owner.project().id(), requested)
                .id();
    }

    @Test
    void aPreviewOfAFileThatIsStillUploadedRefusesNothing() {
        var owner = shop();
        var project = owner.project().id();
        var id = sized(owner, 9);
        test.imports.append(owner.caller(), project, id, 0, TestImports.stream("\"name"));
        assertThatThrownBy(() -> test.imports.preview(owner.caller(), project, id))
                .isInstanceOf(TransferProblem.class);
        test.imports.append(owner.caller(), project, id, 5, TestImports.stream("\"\na\n"));
        assertThat(test.imports.preview(owner.caller(), project, id).rows()).isNotEmpty();
        var open = test.upload(owner, "item", TestImports.CSV, "\"name");
        assertThatThrownBy(() -> test.imports.preview(owner.caller(), project, open))
                .isInstanceOf(TransferProblem.class);
        assertThat(test.get(owner, open).state())
                .as("of a size that is not told")
                .isEqualTo(ImportState.UPLOADING);
    }

    @Test
    void anEmptyFileIsRefusedAndKeepsNoPlace() {
        var owner = shop();
        var project = owner.project().id();
        for (int i = 0; i < 7; i++) {
            var id = test.imports
                    .create(owner.caller(), project, new Imports.NewImport("item", TestImports.CSV, "", null))
                    .id();
            assertThatThrownBy(() -> test.imports.replace(owner.caller(), project, id, TestImports.stream("")))
                    .hasMessageContaining("The file must not be empty");
            assertThat(test.get(owner, id).state()).isEqualTo(ImportState.FAILED);
        }
        // Of a file whose size is told, more may come.
        var sized = sized(owner, 5);
        assertThat(test.imports.replace(owner.caller(), project, sized, TestImports.stream("")))
                .isZero();
    }

    @Test
    void aPreviewDoesNotRefuseAFileThatWasUploadedSince() {
        var owner = shop();
        var project = owner.project().id();
        var id = sized(owner, 5);
        test.imports.append(owner.caller(), project, id, 0, TestImports.stream("\"name"));
        var store = new ImportStore();
        var db = test.records.db;
        var before = db.read(reads -> store.uploadedAt(reads, id)).orElseThrow();
        test.imports.replace(owner.caller(), project, id, TestImports.stream("name\n"));
        var found = test.get(owner, id);
        boolean refused = db.inTransaction(tx -> store.refuse(tx, found, before, Text.of("records.transfer.empty")));
        assertThat(refused).isFalse();
    }

    @Test
    void aPreviewLooksUpSoManyNamesAndSaysNothingOfMore() {
        var owner = test.records.project();
        test.records.schema(owner, "author", "name text");
        test.records.schema(owner, "book", "author text references=\"author\"", "pages numeric");
        var names = IntStream.range(0, 500).mapToObj("a%d"::formatted).toList();
        test.records.insert(
                owner, "author", names.stream().map("{'name': '%s'}"::formatted).toArray(String[]::new));
        var id = test.upload(
                owner,
                "book",
                TestImports.CSV,
                "author,pages\nEve,1\n" + String.join(",1\n", names) + ",1\nAdam,1\nAdam,x\nEve,1\na0,1\n");
        assertThat(test.imports
                        .preview(owner.caller(), owner.project().id(), id)
                        .errors())
                .extracting(LineError::line)
                .containsExactly(2L, 504L, 505L);
    }

    @Test
    void thePreviewKnowsTheMembersThatTheImportKnows() {
        var owner = test.records.project();
        test.records.schema(owner, "task", "lead text format=\"person\"");
        var name = test.records.db.read(reads -> reads.query("SELECT nickname FROM accounts.users WHERE id = :id")
                .bind("id", owner.user().value())
                .mapTo(String.class)
                .one());
        var id = test.upload(owner, "task", TestImports.CSV, "lead\n" + name + "\nnobody\n");
        var preview = test.imports.preview(owner.caller(), owner.project().id(), id);
        assertThat(preview.errors()).extracting(LineError::line).containsExactly(3L);
        assertThat(preview.rows()).hasSize(1);
    }

    @Test
    void daysAreReadInTheOrderThatTheWholeFileShows() {
        var owner = test.records.project();
        test.records.schema(owner, "trip", "day date");
        assertThat(test.done(owner, "trip", TestImports.CSV, "day\n8/7/2026\n8/20/2026\n")
                        .failure())
                .isNull();
        assertThat(test.values(owner, 0))
                .containsKey(LocalDate.parse("2026-08-07").toEpochDay() * 86_400 + "000000");
        var open = test.done(owner, "trip", TestImports.CSV, "day\n8/7/2026\n");
        assertThat(open.failure()).asString().contains("two days");
        var waiting = test.upload(owner, "trip", TestImports.CSV, "day\n8/7/2026\n");
        var project = owner.project().id();
        assertThat(test.imports.preview(owner.caller(), project, waiting).asksOrder())
                .isTrue();
        test.imports.columns(
                owner.caller(), project, waiting, new ColumnChoices(Map.of(), DateOrder.DAY_FIRST, null, null, null));
        assertThat(test.imports.preview(owner.caller(), project, waiting).errors())
                .isEmpty();
        test.imports.start(owner.caller(), project, waiting);
        test.worker().runAll();
        assertThat(test.values(owner, 0))
                .containsKey(LocalDate.parse("2026-07-08").toEpochDay() * 86_400 + "000000");
    }

    @Test
    void percentagesOfAFileMakeAnAttributeOfPercentages() {
        var owner = test.records.project();
        var done = test.done(owner, "rate", TestImports.CSV_CREATING, "share,cost,paid\n25%,\"$1,200.50\",checked\n");
        assertThat(done.failure()).isNull();
        var schema = test.records.catalog.refreshed(owner.tables(), "rate");
        assertThat(schema.attributes())
                .extracting(each -> each.type().label())
                .containsExactly("numeric", "numeric", "bool");
        assertThat(schema.attributes().getFirst().isFormatted(ValueFormat.Kind.PERCENT))
                .isTrue();
        assertThat(test.values(owner, 0)).containsKey("25");
        assertThat(test.values(owner, 1)).containsKey("1200.50");
    }

    @Test
    void recordsAreFoundByWhatTheyAreCalledAsFarAsTheImporterSeesThem() {
        var owner = test.records.project();
        test.records.schema(owner, "author", "name text", "code text unique", "no numeric unique", "secret text");
        test.records.schema(
                owner, "book", "author text references=\"author\"", "others text references=\"author\" many=true");
        var ids = test.records.insert(
                owner,
                "author",
                "{'name':'Ada','code':'A1','no':7,'secret':'s'}",
                "{'name':'Bob','code':'B1'}",
                "{'name':'Bob','code':'B2'}");
        var done = test.done(
                owner,
                "book",
                TestImports.CSV_SKIPPING,
                "author,others\nAda,\"B1, %s\"\nB2,\n7,\nBob,\nEve,\ns,\n".formatted(ids.getFirst()));
        assertThat(done.progress().rows()).isEqualTo(3);
        assertThat(test.errors(owner, done.id()))
                .containsExactly(
                        "5 author “Bob” is the name of several records of `author`: give the id of one",
                        "6 author “Eve” is neither the id nor the name of a record of `author`",
                        "7 author “s” is neither the id nor the name of a record of `author`");
        assertThat(test.values(owner, 1)).containsKey("[\"%s\", \"%s\"]".formatted(ids.get(1), ids.getFirst()));

        test.records.schemas.setRules(owner, "author", new AccessRules(false, null, Set.of("name", "code"), Set.of()));
        var editor = test.records.member(owner, ProjectRole.EDITOR);
        var id = test.upload(editor, "book", TestImports.CSV, "author\nAda\n7\n");
        var preview = test.imports.preview(editor.caller(), editor.project().id(), id);
        assertThat(preview.errors())
                .extracting(LineError::line)
                .as("a hidden name")
                .containsExactly(2L);
    }

    @Test
    void namesakesThatTheImporterMayNotReadAreNone() {
        var owner = test.records.project();
        test.records.schema(owner, "author", "name text");
        test.records.schema(owner, "book", "author text references=\"author\"");
        test.records.insert(owner, "author", "{'name':'Bob'}", "{'name':'Bob'}", "{'name':'Bob'}", "{'name':'Eve'}");
        test.records.schemas.setRules(owner, "author", new AccessRules(true, null, Set.of(), Set.of()));
        var editor = test.records.member(owner, ProjectRole.EDITOR);
        var own = test.records.one(editor, "author", "{'name':'Bob'}");
        var done = test.done(editor, "book", TestImports.CSV_SKIPPING, "author\nBob\nEve\nBob\n");
        assertThat(done.progress().rows()).isEqualTo(2);
        assertThat(test.values(owner, 0)).containsEntry(own.toString(), 2);
        assertThat(test.errors(editor, done.id()))
                .containsExactly("3 author “Eve” is neither the id nor the name of a record of `author`");
    }

    @Test
    void decimalCommasAreReadAsTheFileShowsOrTheChoiceSays() {
        var owner = test.records.project();
        test.records.schema(owner, "item", "name text required", "price numeric");
        var options = new ImportOptions(FileFormat.CSV, "", "UTC", false, false, null);
        var id = test.upload(owner, "item", options, "name;price\nä;1,500\n");
        var project = owner.project().id();
        var likely = test.imports.preview(owner.caller(), project, id);
        assertThat(likely.decimal()).isEqualTo(DecimalMark.COMMA);
        assertThat(likely.rows().getFirst().values().path("price").decimalValue())
                .isEqualByComparingTo("1.5");
        test.imports.columns(
                owner.caller(), project, id, new ColumnChoices(Map.of(), null, null, DecimalMark.POINT, null));
        var chosen = test.imports.preview(owner.caller(), project, id);
        assertThat(chosen.rows().getFirst().values().path("price").decimalValue())
                .isEqualByComparingTo("1500");
        test.done(owner, "item", options, "name;price\nä;1.234,5\n");
        assertThat(test.values(owner, 1).toString()).contains("1234.5");
    }

    @Test
    void aPreviewForANewSchemaRefusesWhatTheImportWill() {
        var owner = test.records.project();
        // Looks like a day, and is none.
        var id = test.upload(owner, "trip", TestImports.CSV_CREATING, "name,day\na,2026-01-31\nb,2026-02-30\n");
        var preview = test.imports.preview(owner.caller(), owner.project().id(), id);
        assertThat(preview.rows()).hasSize(1);
        assertThat(preview.errors()).extracting(LineError::line).containsExactly(3L);
        assertThat(preview.errors()).extracting(LineError::field).containsExactly("day");
    }
}
