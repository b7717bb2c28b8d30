package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.testkit.TestRecords;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemasTest {

    private static final String[] PRODUCT = {
        "name text required min=1 max=20",
        "price numeric min=0 max=100",
        "status text enum=[\"new\",\"old\"]",
        "code text pattern=\"[a-z]*\"",
        "sku text unique",
        "parent text references=\"product\""
    };

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
    void idsBeginAt100AndAliasesLeadToTheSameSchema() {
        var event = test.schemas.define(shop, new SchemaDefinition("event", List.of("events"), List.of()));
        assertThat(event.id()).isEqualTo((short) 100);
        assertThat(test.schemas.get(shop, "events").name()).isEqualTo("event");
        assertThat(test.schema(shop, "person").id()).isEqualTo((short) 101);
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"schema_registry_@\" WHERE schema_id = 100"))
                .isEqualTo(2);
        refused("records.name-taken", () -> test.schema(shop, "events"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "100", "a\"b", "x; DROP TABLE y", "a.b", "_a", "-a", "a/b", "a,b", "a\u0007", "a\u200bb", "a  b", "a ", "a:b",
                "\ud800", "＝a", "a\u3000b"
            })
    void aNameHasNoSignThatMeansSomethingElsewhere(String name) {
        assertThat(refused("records.invalid", () -> test.schema(shop, name)))
                .extracting(FieldError::field)
                .contains("name");
        assertThatThrownBy(() -> test.schema(shop, "商".repeat(101))).isInstanceOf(RecordsProblem.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"商品", "単価 (税込)", "1a", "a b", "é", "Größe", "цена", "السعر", "가격", "𠮷野", "2026年", "a_-b"})
    void aNameIsOfAnyScript(String name) {
        var attribute = new AttributeDefinition(name, "text", null, null, null, null, null, null, null, null, null);
        test.schemas.define(shop, new SchemaDefinition(name, null, List.of(attribute)));
        var long100 = "商".repeat(100);
        assertThat(test.schema(shop, long100).name()).isEqualTo(long100);
        assertThat(test.schemas.get(shop, name).attributes()).hasSize(1);
    }

    @Test
    void twoWaysToWriteANameAreOne() {
        var composed = "ガス";
        var apart = "カ\u3099ス";
        test.schema(shop, apart, apart + " numeric");
        assertThat(test.schemas.get(shop, composed).name()).isEqualTo(composed);
        assertThat(test.schemas.get(shop, apart).attributes().getFirst().name()).isEqualTo(composed);
        var id = test.one(shop, apart, "{'%s': 3}".formatted(apart));
        assertThat(test.get(shop, composed, id).values()).hasToString("{\"ガス\":3}");
    }

    @Test
    void twoAttributesOfOneNameAndAnUnknownTypeAreRefused() {
        assertThat(refused("records.invalid", () -> test.schema(shop, "a", "x text", "x bool", "y blob")))
                .extracting(FieldError::field)
                .containsExactly("attributes[1].name", "attributes[2].type");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x numeric default=\"1\"|default",
                "x numeric min=2 max=1|max",
                "x numeric min=2 default=1|default",
                "x numeric min=\"a\"|min",
                "x text min=-1|min",
                "x date min=\"yesterday\"|min",
                "x bool enum=[true]|enum",
                "x bool unique|unique",
                "x jsonb max=1|max",
                "x numeric enum=[1,1.0]|enum[1]",
                "x numeric enum=[]|enum",
                "x text enum=[\"a\"] default=\"b\"|default",
                "x numeric pattern=\"a\"|pattern",
                "x text pattern=\"(\"|pattern",
                "x text references=\"nobody\"|references",
                "x numeric references=\"a\"|references",
                "x text unique default=\"a\"|default",
                "x numeric prefixSearch|prefixSearch"
            })
    void whatDoesNotFitTheTypeIsRefused(String attribute, String field) {
        assertThat(refused("records.invalid", () -> test.schema(shop, "a", attribute)))
                .extracting(FieldError::field)
                .contains("attributes[0]." + field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|name text|name: need not be required",
                "1|price numeric|widens",
                "1|price numeric min=-1 max=101|widens",
                "2|status text enum=[\"new\",\"old\",\"sold\"]|may be \"sold\"",
                "2|status text|any value",
                "3|code text|need not match",
                "4|sku text|need not be unique",
                "5|parent text|need not refer",
                "1|price numeric min=0 max=100 default=5|another default"
            })
    void wideningIsAllowed(int place, String changed, String change) {
        test.schema(shop, "product", PRODUCT);
        var wanted = PRODUCT.clone();
        wanted[place] = changed;
        var preview = test.schemas.preview(shop, "product", definition("product", wanted));
        assertThat(preview.isAllowed()).isTrue();
        assertThat(preview.changes().toString())
                .contains(change.substring(change.indexOf(':') + 1).strip());
        var evolved = test.schemas.evolve(shop, "product", definition("product", wanted));
        assertThat(evolved.version()).isEqualTo(2);
        assertThat(evolved.attributes().get(place).id())
                .isEqualTo(SchemaAttribute.id(
                        place, evolved.attributes().get(place).type()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|name numeric|type",
                "0|title text|removed or renamed",
                "1|price numeric required min=0 max=100|required",
                "1|price numeric min=1 max=100|tighter min",
                "1|price numeric min=0 max=99|tighter max",
                "2|status text enum=[\"new\"]|\"old\"",
                "3|code text pattern=\"[a-y]*\"|pattern",
                "1|price numeric min=0 max=100 unique|unique",
                "1|price numeric min=0 max=100 enum=[1]|enum",
                "0|name text required min=1 max=20 pattern=\"a\"|pattern"
            })
    void tighteningRemovingAndRetypingAreRefusedWithTheReason(int place, String changed, String reason) {
        test.schema(shop, "product", PRODUCT);
        var wanted = PRODUCT.clone();
        wanted[place] = changed;
        var preview = test.schemas.preview(shop, "product", definition("product", wanted));
        assertThat(preview.refused()).hasSize(1);
        assertThat(preview.refused().getFirst().field())
                .isEqualTo(PRODUCT[place].split(" ", -1)[0]);
        assertThat(preview.refused().getFirst().message().toString()).contains(reason);
        refused("records.cannot-evolve", () -> test.schemas.evolve(shop, "product", definition("product", wanted)));
        assertThat(test.schemas.get(shop, "product").version()).isOne();
    }

    @Test
    void anAttributeIsAddedIfNoRecordMustHaveIt() {
        test.schema(shop, "product", "name text");
        var id = test.one(shop, "product", "{'name': 'tea'}");
        refused(
                "records.cannot-evolve",
                () -> test.schemas.evolve(
                        shop, "product", definition("product", "name text", "stock numeric required default=0")));
        test.schemas.evolve(shop, "product", definition("product", "stock numeric unique", "name text"));
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"name\":\"tea\"}");
        test.records.patch(shop, "product", id, json("{'stock': 3}"), null);
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"name\":\"tea\",\"stock\":3}");
        refused("records.not-unique", () -> test.one(shop, "product", "{'stock': 3.0}"));
    }

    @Test
    void whatNeedNotBeUniqueOrReferAnyMoreDoesNot() {
        test.schema(shop, "product", PRODUCT);
        var id = test.one(shop, "product", "{'name': 'a', 'sku': 's', 'parent': '#0'}");
        var wanted = PRODUCT.clone();
        wanted[4] = "sku text";
        wanted[5] = "parent text";
        test.schemas.evolve(shop, "product", definition("product", wanted));
        test.one(shop, "product", "{'name': 'b', 'sku': 's', 'parent': 'anything'}");
        test.records.delete(shop, "product", id, null);
    }

    @Test
    void aSchemaIsDeletedOnceItHasNoRecordsAndNobodyRefersToIt() {
        test.schema(shop, "product", "name text");
        test.schema(shop, "order", "product text references=\"product\"");
        var id = test.one(shop, "product", "{}");
        assertThatThrownBy(() -> test.schemas.delete(shop, "product")).hasMessageContaining("has records");
        test.records.delete(shop, "product", id, null);
        assertThatThrownBy(() -> test.schemas.delete(shop, "product")).hasMessageContaining("`order.product`");
        test.schemas.delete(shop, "order");
        test.schemas.delete(shop, "product");
        refused("records.no-schema", () -> test.one(shop, "product", "{}"));
        assertThat(test.schemas.list(shop)).isEmpty();
        assertThat(test.schema(shop, "product", "other numeric").id()).isEqualTo((short) 102);
        assertThat(test.one(shop, "product", "{'other': 1}")).isNotNull();
    }

    @Test
    void anAttributeIsRenamedAndItsFormerNameAndIdLeadToItFor30Days() {
        var before = test.schema(shop, "product", "name text", "price numeric");
        var id = test.one(shop, "product", "{'price': 3}");
        var other = new SchemaCatalog(test.db);
        assertThat(other.cached(shop.tables(), "product").attribute("price")).isPresent();
        var renamed = test.changes.change(shop, "product", "price", new AttributeChange("価格", "価格（円）", false));
        var attribute = renamed.attribute("価格").orElseThrow();
        assertThat(attribute.id()).isEqualTo(before.attribute("price").orElseThrow().id());
        assertThat(attribute.label()).isEqualTo("価格（円）");
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"価格\":3}");
        test.records.patch(shop, "product", id, json("{'price': 4}"), null);
        test.records.patch(shop, "product", id, json("{'%d': 5}".formatted(attribute.id())), null);
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"価格\":5}");
        assertThat(test.history.page(shop, "product", id, 9, 9)).hasSize(3);
        refused(
                "records.invalid",
                () -> test.records.patch(shop, "product", id, json("{'price': 4, '価格': 5}"), null));
        // A node that has cached it under the old name notices by the version.
        assertThat(test.db.<Schema>inTransaction(tx -> other.current(tx, shop.tables(), "product"))
                        .attribute("価格"))
                .isPresent();

        refused("records.name-kept", () -> rename("product", "name", "price", false));
        refused("records.attribute-taken", () -> rename("product", "name", "価格", false));
        rename("product", "name", "price", true);
        assertThat(test.schemas.get(shop, "product").attribute("price").orElseThrow().type())
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
    void aSchemaIsRenamedAndItsFormerNameIsNotGivenAwayUnasked() {
        var id = test.schema(shop, "product", "name text", "parent text references=\"product\"").id();
        test.schema(shop, "person");
        var row = test.one(shop, "product", "{'name': 'tea'}");
        var one = new SchemaCatalog(test.db);
        one.cached(shop.tables(), "product");
        assertThat(test.changes.preview(shop, "product", new AttributeChange("商品", null, false)).changes())
                .hasSize(1);
        var renamed = test.changes.change(shop, "product", new AttributeChange("商品", "商品一覧", false));
        assertThat(renamed.label()).isEqualTo("商品一覧");
        assertThat(renamed.aliases()).isEmpty();
        for (var name : List.of("商品", "product", String.valueOf(id))) {
            assertThat(test.get(shop, name, row).values()).hasToString("{\"name\":\"tea\"}");
        }
        refused("records.name-kept", () -> test.changes.change(shop, "person", new AttributeChange("product", null, false)));
        refused("records.name-taken", () -> test.changes.change(shop, "person", new AttributeChange("商品", null, false)));
        refused("records.name-taken", () -> test.schema(shop, "product"));
        // A change of other things keeps the former name.
        test.schemas.evolve(
                shop, "product", definition("product", "name text", "parent text references=\"product\"", "more text"));
        assertThat(test.schemas.get(shop, "product").name()).isEqualTo("商品");

        test.changes.change(shop, "person", new AttributeChange("product", null, true));
        // Where the name led is cached there.
        assertThat(test.db.<Schema>inTransaction(tx -> one.current(tx, shop.tables(), "product")).id())
                .isEqualTo(test.schemas.get(shop, "person").id());
        refused("records.no-schema", () -> test.schemas.get(shop, "99"));
        refused("records.invalid", () -> test.changes.change(shop, "person", new AttributeChange("a/b", null, false)));
        refused("records.no-attribute", () -> rename("商品", "nothing", "something", false));
        var editor = test.member(shop, ProjectRole.EDITOR);
        refused("records.owners-only", () -> test.changes.change(editor, "商品", new AttributeChange("x", null, false)));
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

    private void rename(String schema, String before, String after, boolean reuse) {
        test.changes.change(shop, schema, before, new AttributeChange(after, null, reuse));
    }

    @Test
    void onlyOwnersMakeAndChangeSchemas() {
        test.schema(shop, "product", "name text");
        var editor = test.member(shop, ProjectRole.EDITOR);
        refused("records.owners-only", () -> test.schema(editor, "other"));
        refused("records.owners-only", () -> test.schemas.evolve(editor, "product", definition("product")));
        refused("records.owners-only", () -> test.schemas.preview(editor, "product", definition("product")));
        refused("records.owners-only", () -> test.schemas.setRules(editor, "product", AccessRules.NONE));
        refused("records.owners-only", () -> test.schemas.delete(editor, "product"));
    }

    @Test
    void rulesNameAttributesThatAreThere() {
        test.schema(shop, "product", "name text", "price numeric");
        var rules = new AccessRules(
                false, new AccessRules.Matching("price", AccessRules.Trait.EMAIL), Set.of("nothing"), Set.of("nobody"));
        assertThat(refused("records.invalid", () -> test.schemas.setRules(shop, "product", rules)))
                .extracting(FieldError::field)
                .containsExactlyInAnyOrder("hidden", "readOnly", "matching.attribute");
    }

    private static List<FieldError> refused(String code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        var problem = catchThrowableOfType(RecordsProblem.class, call);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).isEqualTo(code);
        return problem.fields();
    }
}
