package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.testkit.TestRecords;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

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
                "",
                "100",
                "a\"b",
                "x; DROP TABLE y",
                "a.b",
                "_a",
                "-a",
                "a/b",
                "a,b",
                "a\u0007",
                "a\u200bb",
                "a\u200cb",
                "a\u200d",
                "\u200cمی",
                "می\u200c",
                "می\u200c\u200cخواهم",
                "می\u200c خواهم",
                "a  b",
                "a ",
                "a:b",
                "\ud800",
                "＝a",
                "a\u3000b"
            })
    void aNameHasNoSignThatMeansSomethingElsewhere(String name) {
        assertThat(refused("records.invalid", () -> test.schema(shop, name)))
                .extracting(FieldError::field)
                .contains("name");
        assertThatThrownBy(() -> test.schema(shop, "商".repeat(101))).isInstanceOf(RecordsProblem.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "商品",
                "単価 (税込)",
                "1a",
                "a b",
                "é",
                "Größe",
                "цена",
                "السعر",
                "가격",
                "𠮷野",
                "2026年",
                "a_-b",
                "می\u200cخواهم",
                "क्\u200dष",
                "ക്\u200dഷ 1"
            })
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
                "x text enum=[\"a\",\"\"]|enum[1]",
                "x numeric pattern=\"a\"|pattern",
                "x text pattern=\"(\"|pattern",
                "x text references=\"nobody\"|references",
                "x numeric references=\"a\"|references",
                "x text unique default=\"a\"|default",
                "x numeric prefixSearch|prefixSearch",
                "x numeric format=\"email\"|format",
                "x text format=\"percent\"|format",
                "x date format=\"duration\"|format",
                "x text format=\"email\" enum=[\"a@b.example\"]|format",
                "x numeric format=\"currency\"|format",
                "x numeric format=\"currency\" currency=\"ABC\"|format",
                "x numeric format=\"percent\" currency=\"EUR\"|format",
                "x numeric format=\"rating\" max=11|format",
                "x numeric format=\"rating\" default=6|default",
                "x text format=\"url\" default=\"here\"|default"
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
                "1|price numeric min=0 max=100 default=5|another default",
                "1|price numeric min=0 max=100 format=\"currency\" currency=\"JPY\"|gets the format “Currency”",
                "3|code text pattern=\"[a-z]*\" format=\"long_text\"|gets the format “Long text (Markdown)”"
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
                "0|name text required min=1 max=20 pattern=\"a\"|pattern",
                "4|sku text unique format=\"phone\"|format"
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "text format=\"email\"|'ann@square.example', 'Ann.B+c@例え.jp'|'ann', 'ann@', 'a b@c.example', 'a@b@c.example', '<a@b.example>'",
                "text format=\"phone\"|'+81 3-1234-5678', '(030) 123456', '110'|'call me', '12', '+', '++81 3', '1234567890123456'",
                "text format=\"url\"|'https://example.org/a?b#c', 'HTTP://例え.jp'|'example.org', 'javascript:alert(1)', 'http://', 'https://a b'",
                "text format=\"long_text\"|'# *a* b', ''|1",
                "numeric format=\"rating\"|1, 5, 3.0|0, 6, 2.5, -1",
                "numeric format=\"rating\" max=10|10|11",
                "numeric format=\"duration\"|0, 5400, 0.5, -3|'1:30:00'",
                "numeric format=\"percent\"|25, 12.5, -1|'25 %'",
                "numeric format=\"currency\" currency=\"eur\"|1.999|'1'"
            })
    void aValueHasTheFormatOfItsAttribute(String format, String good, String bad) {
        test.schema(shop, "thing", "value " + format);
        for (var value : json("[" + good + "]")) {
            test.one(shop, "thing", "{'value': %s}".formatted(value));
        }
        for (var value : json("[" + bad + "]")) {
            assertThat(refused("records.invalid", () -> test.one(shop, "thing", "{'value': %s}".formatted(value))))
                    .as(value.toString())
                    .extracting(FieldError::field)
                    .containsExactly("[0].value");
        }
    }

    @Test
    void aFormatIsChangedIfAllValuesHaveIt() {
        test.schema(shop, "thing", "mail text", "stars numeric default=7", "price numeric");
        var good = test.one(shop, "thing", "{'mail': 'ann@square.example', 'stars': 3, 'price': 5}");
        var bad = test.one(shop, "thing", "{'mail': 'ann', 'stars': 2.5, 'price': 6}");
        var email = AttributeChange.ofFormat("email", null);
        var preview = test.changes.preview(shop, "thing", "mail", email).findings();
        assertThat(preview.misfits()).isOne();
        assertThat(preview.examples()).singleElement().satisfies(found -> {
            assertThat(found.id()).isEqualTo(bad);
            assertThat(found.value()).isEqualTo("ann");
            assertThat(found.reason()).hasToString("must be an e-mail address");
        });
        assertThat(refused("records.cannot-evolve", () -> test.changes.change(shop, "thing", "mail", email)))
                .extracting(FieldError::field)
                .containsExactly("format");
        test.records.patch(shop, "thing", bad, json("{'mail': 'bea@square.example'}"), null);
        assertThat(format(test.changes.change(shop, "thing", "mail", email), "mail"))
                .isEqualTo(new ValueFormat(ValueFormat.Kind.EMAIL, null));
        refused("records.invalid", () -> test.records.patch(shop, "thing", good, json("{'mail': 'ann'}"), null));
        // Beside a change of its name, and away again.
        test.changes.change(shop, "thing", "mail", new AttributeChange("address", null, false));
        assertThat(format(test.schemas.get(shop, "thing"), "address")).isNotNull();
        assertThat(format(test.changes.change(shop, "thing", "mail", AttributeChange.ofFormat("", null)), "address"))
                .isNull();

        var rating = AttributeChange.ofFormat("rating", null);
        assertThat(refused("records.invalid", () -> test.changes.change(shop, "thing", "stars", rating)))
                .singleElement()
                .isEqualTo(new FieldError("format", Text.of("records.field.format-default")));
        test.changes.change(
                shop, "thing", "stars", AttributeChange.ofConstraints(null, null, JsonNodeFactory.instance.nullNode()));
        refused("records.cannot-evolve", () -> test.changes.change(shop, "thing", "stars", rating));
        test.records.patch(shop, "thing", bad, json("{'stars': 5}"), null);
        assertThat(test.changes
                        .change(shop, "thing", "stars", rating)
                        .attribute("stars")
                        .orElseThrow()
                        .marks())
                .isEqualTo(5);
        assertThat(format(
                        test.changes.change(shop, "thing", "price", AttributeChange.ofFormat("currency", "JPY")),
                        "price"))
                .isEqualTo(new ValueFormat(ValueFormat.Kind.CURRENCY, "JPY"));
        // A format is one of its type.
        var text = test.retypes.change(shop, "thing", "price", new Retypes.Change(ValueType.TEXT, false));
        assertThat(format(text.schema(), "price")).isNull();
    }

    private static @Nullable ValueFormat format(Schema schema, String attribute) {
        return schema.attribute(attribute).orElseThrow().format();
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
    void onlyOwnersMakeAndChangeSchemas() {
        test.schema(shop, "product", "name text");
        var editor = test.member(shop, ProjectRole.EDITOR);
        refused("records.owners-only", () -> test.schema(editor, "other"));
        refused("records.owners-only", () -> test.schemas.evolve(editor, "product", definition("product")));
        refused("records.owners-only", () -> test.schemas.preview(editor, "product", definition("product")));
        refused("records.owners-only", () -> test.schemas.setRules(editor, "product", AccessRules.NONE));
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
