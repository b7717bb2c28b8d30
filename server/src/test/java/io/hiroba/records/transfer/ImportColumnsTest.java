package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.records.AttributeChange;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.SchemaAttribute;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Columns of files and the attributes that they are. */
@TestInstance(Lifecycle.PER_CLASS)
class ImportColumnsTest {

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
    void headersInAnyScriptBecomeNames() {
        var owner = test.records.project();
        var done = test.done(
                owner,
                "商品",
                TestImports.CSV_CREATING,
                "\uFEFF名前,単価（税込）,発売日\u3000予定,a.価格/円,価格,価格:,…\n茶,300,2026-01-31,1,2,3,4\n");
        assertThat(done.failure()).isNull();
        assertThat(test.records.schemas.get(owner, "商品").attributes())
                .extracting(SchemaAttribute::name)
                .containsExactly("名前", "単価（税込）", "発売日 予定", "a_価格_円", "価格", "価格_2", "column7");
        assertThat(test.done(owner, "商品", TestImports.CSV, "名前,価格\n米,2000\n").state())
                .isEqualTo(ImportState.DONE);
        test.records.changes.change(owner, "商品", "価格", new AttributeChange("値段", null, false));
        assertThat(test.done(owner, "商品", TestImports.CSV, "名前,価格\n麦,900\n").state())
                .isEqualTo(ImportState.DONE);
        assertThat(test.values(owner, 0)).isEqualTo(Map.of("茶", 1, "米", 1, "麦", 1));
    }

    @Test
    void aLaterFileFitsTheTableThatTheFirstOneMade() {
        var owner = test.records.project();
        var file = "Name *,Zip/Code,First Name,first_name,%,2024,Amount €\na,00100,x,y,1,2,3\nb,00200,x,y,z,2,3\n";
        var numbers = "c,00300,x,y,4,2,3\n".repeat(ImportPreviewer.LOOKED_AT);
        var done = test.done(
                owner, "shop", TestImports.CSV_CREATING, file.replace("z", "3") + numbers + "d,1,x,y,z,2,3\n");
        assertThat(done.failure())
                .asString()
                .contains(
                        "`column5` must be a number",
                        "continue from line %d".formatted(done.progress().line()));
        assertThat(test.records.catalog.refreshed(owner.tables(), "shop").attributes())
                .extracting(each -> each.name() + "/" + each.title())
                .containsExactly(
                        "Name/Name *",
                        "Zip_Code/Zip/Code",
                        "First Name/null",
                        "first_name/null",
                        "column5/%",
                        "c2024/2024",
                        "Amount €/null");
        var rest = new ImportOptions(
                FileFormat.CSV, ",", "UTC", false, false, done.progress().line(), null, null, null);
        var mended = file.replace("z", "3") + numbers + "d,1,x,y,5,2,3\n";
        assertThat(test.done(owner, "shop", rest, mended).failure()).isNull();
        assertThat(test.values(owner, 0)).isEqualTo(Map.of("a", 1, "b", 1, "c", ImportPreviewer.LOOKED_AT, "d", 1));
        var next = test.done(owner, "shop", TestImports.CSV, "FIRST NAME,zip/code,NAME,AMOUNT €\nz,1,e,4\n");
        assertThat(next.failure()).isNull();
        assertThat(test.values(owner, 2)).containsEntry("z", 1);
        // Its preview says where each column goes.
        var waiting = test.upload(owner, "shop", TestImports.CSV, "zip/code,NAME\n1,f\n");
        var preview = test.imports.preview(owner.caller(), owner.project().id(), waiting);
        assertThat(preview.columns())
                .extracting(ImportPreview.Column::attribute)
                .containsExactly("Zip_Code", "Name");
    }

    @Test
    void namesThatAreValidStayAndOthersThatComeOutTheSameGetNumbers() {
        var owner = test.records.project();
        var file = "a/b,a_b,Name,name\n1,2,x,y\n";
        assertThat(test.done(owner, "mix", TestImports.CSV_CREATING, file).failure())
                .isNull();
        assertThat(test.done(owner, "mix", TestImports.CSV, file).failure()).isNull();
        assertThat(test.records.catalog.refreshed(owner.tables(), "mix").attributes())
                .extracting(SchemaAttribute::name)
                .containsExactly("a_b_2", "a_b", "Name", "name_2");
        assertThat(test.values(owner, 0)).isEqualTo(Map.of("1", 2));
    }

    @Test
    void aColumnThatMayBeOneOfSeveralAttributesIsRefused() {
        var owner = test.records.project();
        test.records.schema(owner, "pair", "Name text", "NAME text", "other text");
        assertThat(test.done(owner, "pair", TestImports.CSV, "name\na\n").failure())
                .asString()
                .contains("`name`, which may be any of Name, NAME: say with `columns` which one");
        assertThat(test.done(owner, "pair", TestImports.CSV, "Other,other\na,b\n")
                        .failure())
                .asString()
                .contains("must not send two columns to `other`");
        var json = test.done(owner, "pair", TestImports.JSONL, "{\"OTHER\": \"a\"}\n{\"name\": \"b\"}\n");
        assertThat(json.progress().rows()).isEqualTo(1);
        assertThat(test.errors(owner, json.id())).singleElement().asString().contains("may be any of");
        test.records.changes.change(owner, "pair", "other", new AttributeChange("more", null, false));
        assertThat(test.done(owner, "pair", TestImports.CSV, "OTHER\nc\n").failure())
                .isNull();
    }

    @Test
    void aColumnThatIsNoAttributeIsSaid() {
        var owner = shop();
        var done = test.done(owner, "item", TestImports.CSV, "name,colour\na,red\n");
        assertThat(done.state()).isEqualTo(ImportState.FAILED);
        assertThat(done.failure()).asString().contains("colour");
        var mapped = new ImportOptions(FileFormat.CSV, ",", "UTC", false, false, Map.of("colour", "", "Name", "name"));
        assertThat(test.done(owner, "item", mapped, "Name,colour\na,red\n").state())
                .isEqualTo(ImportState.DONE);
        assertThat(test.values(owner, 0)).isEqualTo(Map.of("a", 1));
    }
}
