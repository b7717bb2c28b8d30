package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.testkit.TestRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schemas that have records are changed, and their records stay what they were. */
class SchemaChangesTest {

    private static TestRecords test;
    private ProjectAccess shop;

    @BeforeAll
    static void start() {
        test = new TestRecords();
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    @BeforeEach
    void aShop() {
        shop = test.project();
    }

    @Test
    void anAttributeIsRenamedAndItsFormerNameAndIdLeadToItFor30Days() {
        var before = test.schema(shop, "product", "name text", "price numeric");
        var id = test.one(shop, "product", "{'price': 3}");
        var other = new SchemaCatalog(test.db);
        assertThat(other.cached(shop.tables(), "product").attribute("price")).isPresent();
        var renamed = test.changes.change(shop, "product", "price", new AttributeChange("価格", "価格（円）", false));
        var attribute = renamed.attribute("価格").orElseThrow();
        assertThat(attribute.id())
                .isEqualTo(before.attribute("price").orElseThrow().id());
        assertThat(attribute.label()).isEqualTo("価格（円）");
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"価格\":3}");
        test.records.patch(shop, "product", id, json("{'price': 4}"), null);
        test.records.patch(shop, "product", id, json("{'%d': 5}".formatted(attribute.id())), null);
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"価格\":5}");
        assertThat(test.history.page(shop, "product", id, 9, 9)).hasSize(3);
        refused("records.invalid", () -> test.records.patch(shop, "product", id, json("{'price': 4, '価格': 5}"), null));
        // A node that has cached it under the old name notices by the version.
        assertThat(test.db
                        .<Schema>inTransaction(tx -> other.current(tx, shop.tables(), "product"))
                        .attribute("価格"))
                .isPresent();

        refused("records.name-kept", () -> rename("product", "name", "price", false));
        refused("records.attribute-taken", () -> rename("product", "name", "価格", false));
        rename("product", "name", "price", true);
        assertThat(test.schemas
                        .get(shop, "product")
                        .attribute("price")
                        .orElseThrow()
                        .type())
                .isEqualTo(ValueType.TEXT);
        rename("product", "price", "name", false);
        assertThat(test.schemas.get(shop, "product").former())
                .extracting(Schema.Former::name)
                .containsExactly("price");

        test.accounts.clock.advance(Duration.ofDays(31));
        test.changes.sweep(test.projects);
        assertThat(test.schemas.get(shop, "product").former()).isEmpty();
        refused("records.invalid", () -> test.records.patch(shop, "product", id, json("{'price': 4}"), null));
    }

    @Test
    void aNewSchemaTakesAFormerNameOnRequest() {
        var before = test.schema(shop, "drink", "name text");
        test.changes.change(shop, "drink", new AttributeChange("beverage", null, false));
        refused("records.name-kept", () -> test.schema(shop, "drink", "name text"));
        var taken = test.db.inTransaction(tx -> test.schemas.define(tx, shop, definition("drink", "name text"), true));
        assertThat(taken.id()).isNotEqualTo(before.id());
        assertThat(test.schemas.get(shop, "drink").id()).isEqualTo(taken.id());
        assertThat(test.schemas.get(shop, "beverage").id()).isEqualTo(before.id());
    }

    @Test
    void aSchemaIsRenamedAndItsFormerNameIsNotGivenAwayUnasked() {
        var id = test.schema(shop, "product", "name text", "parent text references=\"product\"")
                .id();
        test.schema(shop, "person");
        var row = test.one(shop, "product", "{'name': 'tea'}");
        var one = new SchemaCatalog(test.db);
        one.cached(shop.tables(), "product");
        assertThat(test.changes
                        .preview(shop, "product", new AttributeChange("商品", null, false))
                        .changes())
                .hasSize(1);
        var renamed = test.changes.change(shop, "product", new AttributeChange("商品", "商品一覧", false));
        assertThat(renamed.label()).isEqualTo("商品一覧");
        assertThat(renamed.aliases()).isEmpty();
        for (var name : List.of("商品", "product", String.valueOf(id))) {
            assertThat(test.get(shop, name, row).values()).hasToString("{\"name\":\"tea\"}");
        }
        refused(
                "records.name-kept",
                () -> test.changes.change(shop, "person", new AttributeChange("product", null, false)));
        refused(
                "records.name-taken",
                () -> test.changes.change(shop, "person", new AttributeChange("商品", null, false)));
        refused("records.name-kept", () -> test.schema(shop, "product"));
        // A change of other things keeps the former name.
        test.schemas.evolve(
                shop, "product", definition("product", "name text", "parent text references=\"product\"", "more text"));
        assertThat(test.schemas.get(shop, "product").name()).isEqualTo("商品");

        test.changes.change(shop, "person", new AttributeChange("product", null, true));
        // Where the name led is cached there.
        assertThat(test.db
                        .<Schema>inTransaction(tx -> one.current(tx, shop.tables(), "product"))
                        .id())
                .isEqualTo(test.schemas.get(shop, "person").id());
        refused("records.no-schema", () -> test.schemas.get(shop, "99"));
        refused("records.invalid", () -> test.changes.change(shop, "person", new AttributeChange("a/b", null, false)));
        refused("records.no-attribute", () -> rename("商品", "nothing", "something", false));
        var editor = test.member(shop, ProjectRole.EDITOR);
        refused("records.owners-only", () -> test.changes.change(editor, "商品", new AttributeChange("x", null, false)));
    }

    @Test
    void anAttributeBecomesRequiredUniqueOrGetsADefaultIfItsValuesAllow() {
        test.schema(shop, "product", "name text", "price numeric", "ok bool");
        var ids = test.insert(
                shop, "product", "{'name': 'a', 'price': 1}", "{'name': 'a', 'price': 1.0}", "{'name': 'b'}");
        var required = AttributeChange.ofConstraints(true, null, null);
        var unique = AttributeChange.ofConstraints(null, true, null);
        assertThat(test.changes
                        .preview(shop, "product", "price", required)
                        .findings()
                        .missing())
                .isEqualTo(1);
        var shared = test.changes.preview(shop, "product", "price", unique).findings();
        assertThat(shared.duplicates()).isEqualTo(2);
        assertThat(shared.examples())
                .extracting(ValueCheckStore.Found::id)
                .containsExactlyInAnyOrder(ids.get(0), ids.get(1));
        assertThat(refused("records.cannot-evolve", () -> test.changes.change(shop, "product", "price", required)))
                .extracting(FieldError::field)
                .containsExactly("required");
        refused("records.cannot-evolve", () -> test.changes.change(shop, "product", "price", unique));
        assertThat(test.schemas.get(shop, "product").version()).isOne();

        test.records.patch(shop, "product", ids.get(1), json("{'price': 2}"), null);
        test.records.patch(shop, "product", ids.get(2), json("{'price': 3}"), null);
        test.changes.change(shop, "product", "price", AttributeChange.ofConstraints(true, true, null));
        refused("records.not-unique", () -> test.one(shop, "product", "{'price': 3.0}"));
        refused("records.invalid", () -> test.one(shop, "product", "{'name': 'c'}"));
        // Unique no more, and again: nothing of before is left.
        test.changes.change(shop, "product", "price", AttributeChange.ofConstraints(null, false, null));
        test.records.patch(shop, "product", ids.get(0), json("{'price': 9}"), null);
        test.changes.change(shop, "product", "price", unique);
        test.one(shop, "product", "{'price': 1}");
        refused("records.not-unique", () -> test.one(shop, "product", "{'price': 9}"));

        test.changes.change(shop, "product", "name", AttributeChange.ofConstraints(null, null, json("'x'")));
        assertThat(test.get(shop, "product", test.one(shop, "product", "{'price': 10}"))
                        .values())
                .hasToString("{\"name\":\"x\",\"price\":10}");
        refused("records.invalid", () -> test.changes.change(shop, "product", "name", unique));
        refused("records.invalid", () -> test.changes.change(shop, "product", "ok", unique));
        refused(
                "records.invalid",
                () -> test.changes.change(
                        shop, "product", "name", AttributeChange.ofConstraints(null, null, json("3"))));
    }

    @Test
    void rulesHoldUnderTheNewName() {
        test.schema(shop, "product", "name text", "salary numeric");
        var member = test.member(shop, ProjectRole.EDITOR);
        var row = test.one(shop, "product", "{'name': 'tea', 'salary': 3}");
        test.schemas.setRules(shop, "product", new AccessRules(false, null, Set.of("salary"), Set.of("name")));
        rename("product", "salary", "給与", false);
        rename("product", "name", "名前", false);
        assertThat(test.get(member, "product", row).values()).hasToString("{\"名前\":\"tea\"}");
        refused("records.invalid", () -> test.records.patch(member, "product", row, json("{'salary': 4}"), null));
        refused("records.invalid", () -> test.records.patch(member, "product", row, json("{'name': 'x'}"), null));
        // Rules that are written with a former name bind as well.
        test.schemas.setRules(shop, "product", new AccessRules(false, null, Set.of("salary"), Set.of()));
        assertThat(test.get(member, "product", row).values()).hasToString("{\"名前\":\"tea\"}");
    }

    @Test
    void aRemovedAttributeIsNotThereAndComesBackWithItsValues() {
        test.schema(
                shop,
                "product",
                "name text",
                "price numeric required",
                "sku text unique",
                "parent text references=\"product\"");
        var tea = test.one(shop, "product", "{'name': 'tea', 'price': 1, 'sku': 's', 'parent': '#0'}");
        var rice = test.one(shop, "product", "{'name': 'rice', 'price': 2}");
        assertThat(test.removed.countValues(shop, "product", "price")).isEqualTo(2);
        test.removed.remove(shop, "product", "price");
        test.removed.remove(shop, "product", "sku");
        assertThat(test.get(shop, "product", rice).values()).hasToString("{\"name\":\"rice\"}");
        refused("records.invalid", () -> test.one(shop, "product", "{'price': 1}"));
        test.records.replace(shop, "product", tea, json("{'name': 'Tea'}"), null);
        // The name is free, and the place is not.
        test.schemas.evolve(
                shop,
                "product",
                definition("product", "name text", "parent text references=\"product\"", "price text"));
        test.records.patch(shop, "product", rice, json("{'price': 'two'}"), null);
        assertThat(test.get(shop, "product", rice).values()).hasToString("{\"name\":\"rice\",\"price\":\"two\"}");
        refused("records.attribute-taken", () -> test.removed.restore(shop, "product", "price"));
        test.removed.remove(shop, "product", "price");
        var old = test.schemas.get(shop, "product").removed().getFirst().attribute();
        test.records.delete(shop, "product", rice, null);
        test.removed.restore(shop, "product", String.valueOf(old.id()));
        assertThat(test.get(shop, "product", tea).values()).hasToString("{\"name\":\"Tea\",\"price\":1}");
        test.history.restore(shop, "product", rice, 2, null);
        assertThat(test.get(shop, "product", rice).values()).hasToString("{\"name\":\"rice\",\"price\":2}");
        assertThat(test.schemas
                        .get(shop, "product")
                        .attribute("price")
                        .orElseThrow()
                        .required())
                .isTrue();
        test.removed.restore(shop, "product", "sku");
        refused("records.not-unique", () -> test.one(shop, "product", "{'price': 3, 'sku': 's'}"));

        test.removed.remove(shop, "product", "price");
        test.one(shop, "product", "{'name': 'salt'}");
        test.removed.restore(shop, "product", String.valueOf(old.id()));
        assertThat(test.schemas
                        .get(shop, "product")
                        .attribute("price")
                        .orElseThrow()
                        .required())
                .isFalse();

        test.removed.remove(shop, "product", "sku");
        test.accounts.clock.advance(Duration.ofDays(31));
        test.removed.sweep(test.projects);
        refused("records.no-attribute", () -> test.removed.restore(shop, "product", "sku"));
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"unique_values_@\""))
                .isZero();
        test.schemas.setRules(
                shop,
                "product",
                new AccessRules(false, new AccessRules.Matching("name", AccessRules.Trait.EMAIL), Set.of(), Set.of()));
        refused("records.attribute-in-rules", () -> test.removed.remove(shop, "product", "name"));
        var editor = test.member(shop, ProjectRole.EDITOR);
        refused("records.owners-only", () -> test.removed.remove(editor, "product", "price"));
        refused("records.owners-only", () -> test.removed.reorder(editor, "product", List.of()));
    }

    @Test
    void attributesAreShownInTheOrderThatIsSet() {
        test.schema(shop, "product", "a text", "b numeric", "c bool");
        var id = test.one(shop, "product", "{'a': 'x', 'b': 1, 'c': true}");
        test.removed.reorder(shop, "product", List.of("c", "a"));
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"c\":true,\"a\":\"x\",\"b\":1}");
        test.records.patch(shop, "product", id, json("{'b': 2}"), null);
        test.schemas.evolve(shop, "product", definition("product", "a text", "b numeric", "c bool", "d text"));
        test.records.patch(shop, "product", id, json("{'d': 'y'}"), null);
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"c\":true,\"a\":\"x\",\"b\":2,\"d\":\"y\"}");
        refused("records.invalid", () -> test.removed.reorder(shop, "product", List.of("a", "a")));
        refused("records.no-attribute", () -> test.removed.reorder(shop, "product", List.of("nothing")));
    }

    @Test
    void aRemovedAttributeIsHiddenAgainThoughRulesWereSavedMeanwhile() {
        test.schema(shop, "product", "name text", "salary numeric", "grade text");
        var member = test.member(shop, ProjectRole.EDITOR);
        var row = test.one(shop, "product", "{'name': 'tea', 'salary': 3, 'grade': 'a'}");
        test.schemas.setRules(shop, "product", new AccessRules(false, null, Set.of("salary"), Set.of("grade")));
        test.removed.remove(shop, "product", "salary");
        test.removed.remove(shop, "product", "grade");
        assertThat(SchemaView.of(shop, test.schemas.get(shop, "product"), List.of())
                        .rules())
                .isEqualTo(SchemaView.RulesView.of(AccessRules.NONE));
        // An attribute that takes the name is another one.
        test.schemas.evolve(shop, "product", definition("product", "name text", "salary text"));
        test.records.patch(member, "product", row, json("{'salary': 'x'}"), null);
        test.removed.remove(shop, "product", "salary");
        var saved = test.schemas.setRules(shop, "product", new AccessRules(true, null, Set.of("name"), Set.of()));
        var salary = saved.removed().stream()
                .map(Schema.Removed::attribute)
                .filter(each -> each.type() == ValueType.NUMERIC)
                .findFirst()
                .orElseThrow();
        test.removed.restore(shop, "product", String.valueOf(salary.id()));
        var after = test.removed.restore(shop, "product", "grade");
        assertThat(after.rules()).isEqualTo(new AccessRules(true, null, Set.of("name", "salary"), Set.of("grade")));

        test.removed.remove(shop, "product", "salary");
        test.accounts.clock.advance(Duration.ofDays(31));
        test.removed.sweep(test.projects);
        assertThat(test.schemas.get(shop, "product").rules().hidden()).containsExactly("name");
    }

    @Test
    void aNameThatTwoAttributesHadLeadsToTheLaterOne() {
        test.schema(shop, "product", "price numeric", "name text");
        rename("product", "price", "cost", false);
        // Nobody is found by the name of an attribute that is removed, so another may have it.
        test.removed.remove(shop, "product", "cost");
        test.schemas.evolve(shop, "product", definition("product", "name text", "price text"));
        rename("product", "price", "label", false);
        assertThat(test.schemas
                        .get(shop, "product")
                        .attribute("price")
                        .orElseThrow()
                        .name())
                .isEqualTo("label");

        test.removed.remove(shop, "product", "label");
        rename("product", "name", "label", false);
        rename("product", "label", "words", false);
        refused("records.name-kept", () -> test.removed.restore(shop, "product", "label"));
        test.removed.restore(shop, "product", "label", true);
        assertThat(test.schemas.get(shop, "product").former())
                .extracting(Schema.Former::name)
                .doesNotContain("label");
        rename("product", "label", "again", false);
        assertThat(test.schemas
                        .get(shop, "product")
                        .attribute("label")
                        .orElseThrow()
                        .name())
                .isEqualTo("again");
    }

    @Test
    void aDeletedRecordComesBackWithoutWhatOthersHaveOfARemovedAttribute() {
        test.schema(shop, "person", "name text");
        test.schema(
                shop,
                "product",
                "name text",
                "sku text unique",
                "code numeric unique",
                "by text references=\"person\"");
        var kim = test.one(shop, "person", "{'name': 'Kim'}");
        var tea = test.one(shop, "product", "{'name': 'tea', 'sku': 's', 'code': 7, 'by': '%s'}".formatted(kim));
        test.records.delete(shop, "product", tea, null);
        test.records.delete(shop, "person", kim, null);
        test.one(shop, "product", "{'sku': 's'}");
        List.of("sku", "code", "by").forEach(each -> test.removed.remove(shop, "product", each));
        test.history.restore(shop, "product", tea, 1, null);
        List.of("sku", "code", "by").forEach(each -> test.removed.restore(shop, "product", each));
        assertThat(test.get(shop, "product", tea).values()).hasToString("{\"name\":\"tea\",\"code\":7}");
    }

    @Test
    void noMoreAttributesComeBackThanThereMayBe() {
        test.schema(shop, "product", "name text", "by text");
        test.removed.remove(shop, "product", "by");
        var many = new ArrayList<>(List.of("name text"));
        IntStream.range(0, 499).forEach(each -> many.add("a" + each + " text"));
        test.schemas.evolve(shop, "product", definition("product", many.toArray(String[]::new)));
        refused("records.invalid", () -> test.removed.restore(shop, "product", "by"));
    }

    private void rename(String schema, String before, String after, boolean reuse) {
        test.changes.change(shop, schema, before, new AttributeChange(after, null, reuse));
    }

    private static List<FieldError> refused(String code, ThrowingCallable call) {
        var problem = catchThrowableOfType(RecordsProblem.class, call);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).isEqualTo(code);
        return problem.fields();
    }
}
