package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.Retypes.Change;
import io.hiroba.testkit.TestRecords;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attributes are computed from others: of the same record, of one that it refers to, and of those that refer to it. */
class ComputedAttributesTest {

    private static TestRecords test;
    private static Computations computations;
    private ProjectAccess shop;

    @BeforeAll
    static void start() {
        test = new TestRecords();
        computations = new Computations(test.db, test.catalog);
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
    void aFormulaIsComputedWithEveryWriteAndFollowsNames() {
        test.schema(shop, "item", "価格 numeric", "quantity numeric", "name text", "due date", "ok bool", "more jsonb");
        var before = test.one(shop, "item", "{'価格': 2.5, 'quantity': 4}");
        formula("item", "total", "価格 * quantity");
        formula("item", "twice total", "total * 2 // 価格 stays\n + 0");
        formula("item", "label", "name + ' (価格)'");
        assertThat(type("item", "total")).isEqualTo(ValueType.NUMERIC);
        assertThat(values("item", before)).contains("\"total\":10,").contains("\"twice total\":20");
        var id = test.one(shop, "item", "{'価格': 0.1, 'quantity': 3, 'name': 'tea'}");
        assertThat(values("item", id)).contains("\"total\":0.3,").contains("\"label\":\"tea (価格)\"");
        test.records.patch(shop, "item", id, json("{'quantity': 7}"), null);
        assertThat(values("item", id)).contains("\"total\":0.7,").contains("\"twice total\":1.4");
        test.changes.change(shop, "item", "価格", new AttributeChange("unit price", null, false));
        var view = SchemaView.of(shop, test.schemas.get(shop, "item"), test.schemas.list(shop));
        assertThat(view.attributes().stream()
                        .filter(each -> each.name().equals("total"))
                        .findFirst()
                        .orElseThrow()
                        .computed())
                .isEqualTo(ComputedDefinition.ofFormula("`unit price` * quantity"));
        test.records.patch(shop, "item", id, json("{'unit price': 2}"), null);
        assertThat(values("item", id)).contains("\"total\":14,");
        // What is indexed is what is shown.
        assertThat(test.count(
                        shop,
                        "SELECT count(*) FROM records.\"eav_@\" WHERE value_numeric = 14 AND attr_id = "
                                + attribute("item", "total").id()))
                .isOne();
        test.history.restore(shop, "item", id, 1, null);
        assertThat(values("item", id)).contains("\"total\":0.3,");
        test.records.delete(shop, "item", id, null);
        test.history.restore(shop, "item", id, 2, null);
        assertThat(values("item", id)).contains("\"total\":0.7,");
        computations.redefine(shop, "item", "total", ComputedDefinition.ofFormula("`unit price` - quantity"));
        assertThat(values("item", id)).contains("\"total\":-6.9,").contains("\"twice total\":-13.8");
    }

    @Test
    void aComputedValueIsNotWrittenFromOutsideAndNothingIsRequiredOfIt() {
        test.schema(shop, "item", "price numeric");
        formula("item", "total", "price * 2");
        assertThat(refused("records.invalid", () -> test.one(shop, "item", "{'total': 3}")))
                .extracting(FieldError::field)
                .containsExactly("[0].total");
        var id = test.one(shop, "item", "{'price': 1}");
        refused("records.invalid", () -> test.records.patch(shop, "item", id, json("{'total': null}"), null));
        refused(
                "records.invalid",
                () -> test.changes.change(shop, "item", "total", AttributeChange.ofConstraints(true, null, null)));
        refused("records.invalid", () -> test.retypes.change(shop, "item", "total", new Change(ValueType.TEXT, false)));
        refused(
                "records.invalid",
                () -> computations.redefine(shop, "item", "price", ComputedDefinition.ofFormula("1")));
    }

    @Test
    void aComputedAttributeHasTheFormatOfItsDefinitionUnlessThatBindsValues() {
        test.schema(shop, "item", "price numeric");
        var total = "{'name': 'total', 'computed': {'formula': 'price * 2'}, 'format': '%s', 'currency': %s}";
        test.schemas.evolve(shop, "item", item(total.formatted("currency", "'EUR'")));
        assertThat(attribute("item", "total").isFormatted(ValueFormat.Kind.CURRENCY))
                .isTrue();
        assertThat(refused(
                        "records.invalid",
                        () -> test.schemas.evolve(shop, "item", item(total.formatted("rating", "null")))))
                .extracting(FieldError::field)
                .containsExactly("attributes[1].format");
    }

    private static SchemaDefinition item(String total) {
        var body = json("{'name': 'item', 'attributes': [{'name': 'price', 'type': 'numeric'}, %s]}".formatted(total));
        return JsonSchemaReader.read(body, false, Optional.empty());
    }

    @Test
    void theFaultOfAFormulaIsToldWhereItStands() {
        test.schema(shop, "item", "価格 numeric", "name text", "due datetime");
        assertThat(fault("価格 +\n  名前")).contains("line 2, column 3").contains("名前");
        assertThat(fault("価格 * 2 + * 3")).contains("line 1, column 10");
        assertThat(fault("価格 +\n 価格 + name")).contains("line 2, column 5");
        assertThat(fault("_0 + 1")).contains("line 1, column 1");
        assertThat(fault("due - due")).contains("cannot be stored").doesNotContain("line");
        assertThat(fault("`")).contains("line 1, column 1");
    }

    private String fault(String formula) {
        return refused("records.invalid", () -> formula("item", "x", formula))
                .getFirst()
                .message()
                .in(Language.ENGLISH);
    }

    @Test
    void aFormulaThatFailsGivesNoValueAndTheReason() {
        test.schema(shop, "item", "a numeric", "b numeric");
        formula("item", "ratio", "a / b");
        computations.add(shop, "item", "or", ComputedDefinition.ofFormula("b == null ? 0 : b"), ValueType.NUMERIC);
        var zero = test.one(shop, "item", "{'a': 1, 'b': 0}");
        var none = test.one(shop, "item", "{'a': 1}");
        assertThat(test.get(shop, "item", zero).values().has("ratio")).isFalse();
        assertThat(test.get(shop, "item", zero).reasons().get("ratio").in(Language.ENGLISH))
                .contains("not a finite number");
        assertThat(test.get(shop, "item", none).reasons().get("ratio").in(Language.ENGLISH))
                .isEqualTo("there is no value of b");
        assertThat(values("item", none)).contains("\"or\":0");
        var preview = computations.preview(shop, "item", null, ComputedDefinition.ofFormula("a + b"), null);
        assertThat(preview.samples())
                .extracting(each -> each.value().toString())
                .containsExactly("1", "null");
    }

    @Test
    void lookupsAndRollupsFollowWhatTheyComeFrom() {
        customers();
        var ann = test.one(shop, "customer", "{'name': 'Ann', 'discount': 10}");
        var bob = test.one(shop, "customer", "{'name': 'Bob'}");
        var first = test.one(shop, "order", "{'amount': 5, 'customer': '%s'}".formatted(ann));
        var second = test.one(shop, "order", "{'amount': 7.5, 'customer': '%s'}".formatted(ann));
        assertThat(values("order", first)).contains("\"who\":\"Ann\"").contains("\"net\":4.5");
        assertThat(values("customer", ann))
                .contains("\"orders\":2")
                .contains("\"spent\":12.5")
                .contains("\"mean\":6.25")
                .contains("\"largest\":7.5")
                .contains("\"net spent\":11.25")
                .contains("\"grade\":\"good\"");
        int version = test.get(shop, "order", first).version();
        test.records.patch(shop, "customer", ann, json("{'name': 'Anne', 'discount': 20}"), null);
        assertThat(values("order", first)).contains("\"who\":\"Anne\"").contains("\"net\":4");
        assertThat(values("customer", ann)).contains("\"net spent\":10,");
        assertThat(test.get(shop, "order", first).version()).isEqualTo(version);
        test.records.patch(shop, "order", second, json("{'customer': '%s'}".formatted(bob)), null);
        assertThat(values("customer", ann))
                .contains("\"orders\":1")
                .contains("\"spent\":5")
                .contains("\"grade\":\"new\"");
        assertThat(values("customer", bob)).contains("\"orders\":1").contains("\"spent\":7.5");
        assertThat(values("order", second)).contains("\"who\":\"Bob\"").doesNotContain("net");
        test.records.delete(shop, "order", second, null);
        assertThat(values("customer", bob)).contains("\"orders\":0").doesNotContain("spent");
        test.history.restore(shop, "order", second, 1, null);
        assertThat(values("customer", ann)).contains("\"orders\":2").contains("\"spent\":12.5");
        assertThat(test.count(shop, "SELECT count(*) FROM records.computations"))
                .isZero();
    }

    @Test
    void manyDependentRecordsAreComputedSoonAfter() {
        customers();
        var ann = test.one(shop, "customer", "{'name': 'Ann', 'discount': 10}");
        var orders = test.insert(
                shop,
                "order",
                IntStream.range(0, ComputedValues.MAX_AT_ONCE + 1)
                        .mapToObj(i -> "{'amount': 2, 'customer': '%s'}".formatted(ann))
                        .toArray(String[]::new));
        assertThat(values("customer", ann)).contains("\"spent\":202,");
        test.records.patch(shop, "customer", ann, json("{'name': 'Anne'}"), null);
        assertThat(test.get(shop, "order", orders.getFirst()).computing()).isTrue();
        assertThat(test.get(shop, "customer", ann).computing()).isFalse();
        worker().runAll();
        assertThat(test.get(shop, "order", orders.getFirst()).computing()).isFalse();
        assertThat(values("order", orders.getLast())).contains("\"who\":\"Anne\"");
    }

    @Test
    void cyclesAreRefusedAndNamed() {
        customers();
        formula("customer", "a", "discount + 1");
        formula("customer", "b", "a + 1");
        assertThat(refused(
                                "records.invalid",
                                () -> computations.redefine(shop, "customer", "a", ComputedDefinition.ofFormula("b")))
                        .getFirst()
                        .message()
                        .in(Language.ENGLISH))
                .contains("a → b → a");
        assertThat(refused(
                                "records.invalid",
                                () -> computations.redefine(
                                        shop,
                                        "order",
                                        "rate",
                                        computed("{'lookup': {'relation': 'customer', 'attribute': 'net spent'}}")))
                        .getFirst()
                        .message()
                        .in(Language.ENGLISH))
                .contains("rate → customer.net spent → net → rate");
        assertThat(refused(
                                "records.invalid",
                                () -> test.schemas.define(
                                        shop,
                                        definition(
                                                "knot",
                                                "{'name':'x','computed':{'formula':'y + 1'}}",
                                                "{'name':'y','computed':{'formula':'z + 1'}}",
                                                "{'name':'z','computed':{'formula':'x + 1'}}")))
                        .getFirst()
                        .message()
                        .in(Language.ENGLISH))
                .contains("x → y → z → x");
        var good = test.schemas.define(
                shop,
                definition(
                        "chain",
                        "{'name':'x','computed':{'formula':'y + 1'}}",
                        "{'name':'y','computed':{'formula':'z + 1'}}",
                        "{'name':'z','type':'numeric'}"));
        var id = test.one(shop, "chain", "{'z': 1}");
        assertThat(good.attributes()).hasSize(3);
        assertThat(values("chain", id)).isEqualTo("{\"z\":1,\"y\":2,\"x\":3}");
    }

    private static SchemaDefinition definition(String name, String... attributes) {
        return Json.exact()
                .treeToValue(
                        json("{'name': '%s', 'attributes': [%s]}".formatted(name, String.join(",", attributes))),
                        SchemaDefinition.class);
    }

    @Test
    void whatIsNeededIsNeitherRemovedNorRetypedAndTheNeedIsTold() {
        customers();
        for (var attribute : List.of("discount", "name")) {
            var told = problem("records.attribute-needed", () -> test.removed.remove(shop, "customer", attribute));
            assertThat(told.detail().in(Language.ENGLISH))
                    .contains(attribute.equals("name") ? "order.who" : "order.rate");
            problem(
                    "records.attribute-needed",
                    () -> test.retypes.change(shop, "customer", attribute, new Change(ValueType.JSONB, false)));
        }
        problem("records.attribute-needed", () -> test.removed.remove(shop, "order", "customer"));
        assertThat(problem("records.attribute-needed", () -> test.removed.remove(shop, "order", "net"))
                        .detail()
                        .in(Language.ENGLISH))
                .contains("customer.net spent");
        var ann = test.one(shop, "customer", "{'name': 'Ann', 'discount': 10}");
        var order = test.one(shop, "order", "{'amount': 5, 'customer': '%s'}".formatted(ann));
        test.removed.remove(shop, "order", "who");
        test.records.patch(shop, "customer", ann, json("{'name': 'Anne'}"), null);
        test.removed.restore(shop, "order", "who");
        assertThat(values("order", order)).contains("\"who\":\"Anne\"");
        test.removed.remove(shop, "order", "who");
        test.removed.remove(shop, "customer", "name");
        problem("records.input-gone", () -> test.removed.restore(shop, "order", "who"));
    }

    @Test
    void whoMayNotSeeAnInputDoesNotSeeTheResult() {
        customers();
        var member = test.member(shop, ProjectRole.EDITOR);
        var ann = test.one(shop, "customer", "{'name': 'Ann', 'discount': 10}");
        var order = test.one(shop, "order", "{'amount': 5, 'customer': '%s'}".formatted(ann));
        assertThat(test.get(member, "order", order).values()).hasToString(values("order", order));
        test.schemas.setRules(shop, "customer", new AccessRules(false, null, Set.of("discount"), Set.of()));
        // rate is the discount, net comes from rate, and what a customer spent net comes from that.
        assertThat(test.get(member, "order", order).values().toString())
                .contains("who")
                .doesNotContain("rate")
                .doesNotContain("net");
        assertThat(test.get(member, "customer", ann).values().toString())
                .contains("spent")
                .doesNotContain("net");
        assertThat(SchemaView.of(member, test.schemas.get(shop, "order"), test.schemas.list(shop))
                        .attributes())
                .extracting(SchemaView.AttributeView::name)
                .containsExactly("amount", "customer", "who");
        assertThat(values("order", order)).contains("rate").contains("net");
        test.schemas.setRules(shop, "customer", new AccessRules(true, null, Set.of(), Set.of()));
        assertThat(test.get(member, "order", order).values().toString())
                .as("records that they do not see")
                .doesNotContain("who");
        test.schemas.setRules(shop, "customer", AccessRules.NONE);
        assertThat(test.get(member, "order", order).values()).hasToString(values("order", order));
    }

    @Test
    void optionsThatAreRenamedReachWhatComesFromThem() {
        test.schema(shop, "item", "state text enum=[\"open\",\"done\"]");
        formula("item", "shout", "state + '!'");
        var id = test.one(shop, "item", "{'state': 'open'}");
        test.options.change(
                shop,
                "item",
                "state",
                new OptionChanges.Request(
                        List.of(new SelectOption("new", null, null), new SelectOption("done", null, null)),
                        Map.of("open", "new")));
        assertThat(test.get(shop, "item", id).computing()).isTrue();
        worker().runAll();
        assertThat(values("item", id)).contains("\"shout\":\"new!\"");
    }

    private void customers() {
        test.schema(shop, "customer", "name text", "discount numeric");
        test.schema(shop, "order", "amount numeric", "customer text references=\"customer\"");
        add("order", "who", "{'lookup': {'relation': 'customer', 'attribute': 'name'}}");
        add("order", "rate", "{'lookup': {'relation': 'customer', 'attribute': 'discount'}}");
        formula("order", "net", "amount * (100 - rate) / 100");
        rollup("orders", "'function': 'count'");
        rollup("spent", "'attribute': 'amount', 'function': 'sum'");
        rollup("mean", "'attribute': 'amount', 'function': 'average'");
        rollup("largest", "'attribute': 'amount', 'function': 'max'");
        rollup("net spent", "'attribute': 'net', 'function': 'sum'");
        formula("customer", "grade", "orders > 1 ? 'good' : 'new'");
    }

    private void rollup(String name, String rest) {
        add("customer", name, "{'rollup': {'schema': 'order', 'relation': 'customer', %s}}".formatted(rest));
    }

    private void add(String schema, String name, String definition) {
        computations.add(shop, schema, name, computed(definition), null);
    }

    private static ComputedDefinition computed(String definition) {
        return Json.mapper().treeToValue(json(definition), ComputedDefinition.class);
    }

    private Schema formula(String schema, String name, String formula) {
        return computations.add(shop, schema, name, ComputedDefinition.ofFormula(formula), null);
    }

    private ComputationWorker worker() {
        return new ComputationWorker(test.db, test.projects, test.catalog);
    }

    private String values(String schema, RowId id) {
        return test.get(shop, schema, id).values().toString();
    }

    private SchemaAttribute attribute(String schema, String name) {
        return test.schemas.get(shop, schema).attribute(name).orElseThrow();
    }

    private ValueType type(String schema, String name) {
        return attribute(schema, name).type();
    }

    private static RecordsProblem problem(String code, ThrowingCallable call) {
        var problem = catchThrowableOfType(RecordsProblem.class, call);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).isEqualTo(code);
        return problem;
    }

    private static List<FieldError> refused(String code, ThrowingCallable call) {
        return problem(code, call).fields();
    }
}
