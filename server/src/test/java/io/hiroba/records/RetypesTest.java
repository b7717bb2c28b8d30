package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.records.Retypes.Change;
import io.hiroba.testkit.TestRecords;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Types of attributes are changed, with the values that records have. */
class RetypesTest {

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
    void aTypeIsChangedAndWhatNamesTheAttributeGoesOn() {
        test.schema(shop, "product", "name text", "code text unique required", "size numeric");
        var ids = test.insert(
                shop, "product", "{'name': 'a', 'code': '１０'}", "{'code': ' 7.50 '}", "{'name': 'c', 'code': '-1e2'}");
        var member = test.member(shop, ProjectRole.EDITOR);
        test.schemas.setRules(shop, "product", new AccessRules(false, null, Set.of(), Set.of("code")));
        test.changes.change(shop, "product", "code", new AttributeChange("number", "No.", false));
        var before = test.schemas.get(shop, "product").attribute("number").orElseThrow();
        test.records.patch(shop, "product", ids.getFirst(), json("{'number': '11'}"), null);
        int version = test.get(shop, "product", ids.getFirst()).version();

        var outcome = retype("product", "number", ValueType.NUMERIC, false);
        assertThat(outcome.isRunning()).isFalse();
        var after = outcome.schema().attribute("number").orElseThrow();
        assertThat(after.type()).isEqualTo(ValueType.NUMERIC);
        assertThat(List.of(after.label(), after.required(), after.unique())).isEqualTo(List.of("No.", true, true));
        assertThat(outcome.schema().attributes())
                .extracting(SchemaAttribute::name)
                .containsExactly("name", "number", "size");
        assertThat(test.get(shop, "product", ids.get(0)).values()).hasToString("{\"name\":\"a\",\"number\":11}");
        assertThat(test.get(shop, "product", ids.get(1)).values()).hasToString("{\"number\":7.50}");
        assertThat(test.get(shop, "product", ids.getFirst()).version()).isEqualTo(version);
        // By its former name and its id of before.
        test.records.patch(shop, "product", ids.get(1), json("{'code': 8}"), null);
        test.records.patch(shop, "product", ids.get(2), json("{'%d': 9}".formatted(before.id())), null);
        refused("records.not-unique", () -> test.one(shop, "product", "{'number': 8.0}"));
        refused("records.invalid", () -> test.one(shop, "product", "{'number': '8'}"));
        refused(
                "records.invalid",
                () -> test.records.patch(member, "product", ids.get(1), json("{'number': 3}"), null));
        assertThat(test.history
                        .page(shop, "product", ids.getFirst(), 9, 9)
                        .getFirst()
                        .changes())
                .hasToString("[Delta[attribute=number, from=\"１０\", to=\"11\"]]");
        test.history.restore(shop, "product", ids.getFirst(), 1, null);
        assertThat(test.get(shop, "product", ids.getFirst()).values()).hasToString("{\"name\":\"a\",\"number\":10}");

        var undone = test.retypes.undo(shop, "product", "number");
        assertThat(undone.attribute("number").orElseThrow().id()).isEqualTo(before.id());
        assertThat(undone.attributes()).extracting(SchemaAttribute::name).containsExactly("name", "number", "size");
        assertThat(undone.rules().readOnly()).contains("number");
        assertThat(test.get(shop, "product", ids.get(1)).values()).hasToString("{\"number\":\" 7.50 \"}");
        refused("records.not-unique", () -> test.one(shop, "product", "{'number': '11'}"));
        refused("records.retype-not-undoable", () -> test.retypes.undo(shop, "product", "number"));
        assertThat(retype("product", "number", ValueType.TEXT, false).job()).isNull();
        var editor = test.member(shop, ProjectRole.EDITOR);
        refused(
                "records.owners-only",
                () -> test.retypes.change(editor, "product", "number", new Change(ValueType.NUMERIC, false)));
    }

    @Test
    void whatCannotBeConvertedRefusesTheChangeOrIsLeftOutAndComesBackWhenItIsUndone() {
        test.schema(
                shop,
                "product",
                "size text",
                "sku text unique",
                "must text required",
                "of text references=\"product\"");
        var ids = test.insert(
                shop,
                "product",
                "{'size': '1', 'sku': '1', 'must': 'x', 'of': '#0'}",
                "{'size': 'large', 'sku': '1.0', 'must': '2'}",
                "{'must': '3'}");
        var preview = test.retypes.preview(shop, "product", "size", new Change(ValueType.NUMERIC, false));
        assertThat(List.of(preview.converted(), preview.failed())).isEqualTo(List.of(1L, 1L));
        assertThat(preview.failures())
                .singleElement()
                .satisfies(each -> assertThat(
                                List.of(each.row(), each.value(), each.reason().toString()))
                        .isEqualTo(List.of(ids.get(1).toString(), "large", "must be a number")));
        assertThat(preview.refused()).extracting(FieldError::field).containsExactly("type");
        var version = test.schemas.get(shop, "product").version();
        refused("records.cannot-evolve", () -> retype("product", "size", ValueType.NUMERIC, false));
        assertThat(test.schemas.get(shop, "product").version()).isEqualTo(version);
        assertThat(test.retypes
                        .preview(shop, "product", "sku", new Change(ValueType.NUMERIC, false))
                        .refused())
                .extracting(FieldError::field)
                .containsExactly("unique");
        refused("records.cannot-evolve", () -> retype("product", "sku", ValueType.NUMERIC, false));
        refused("records.cannot-evolve", () -> retype("product", "sku", ValueType.BOOL, false));
        assertThat(refused("records.cannot-evolve", () -> retype("product", "must", ValueType.NUMERIC, true)))
                .extracting(FieldError::field)
                .containsExactly("required");

        var job = retype("product", "size", ValueType.NUMERIC, true).job();
        assertThat(job.progress().failed()).isOne();
        assertThat(test.get(shop, "product", ids.get(1)).values()).hasToString("{\"sku\":\"1.0\",\"must\":\"2\"}");
        test.records.patch(shop, "product", ids.get(1), json("{'size': 2}"), null);
        test.records.delete(shop, "product", ids.get(2), null);
        retype("product", "size", ValueType.TEXT, false);
        assertThat(test.get(shop, "product", ids.get(1)).values())
                .hasToString("{\"size\":\"2\",\"sku\":\"1.0\",\"must\":\"2\"}");
        // The one before the last, then the first.
        test.retypes.undo(shop, "product", "size");
        test.retypes.undo(shop, "product", "size");
        assertThat(test.get(shop, "product", ids.get(1)).values())
                .hasToString("{\"size\":\"large\",\"sku\":\"1.0\",\"must\":\"2\"}");
        test.schemas.setRules(
                shop,
                "product",
                new AccessRules(false, new AccessRules.Matching("size", AccessRules.Trait.ID), Set.of(), Set.of()));
        refused("records.cannot-evolve", () -> retype("product", "size", ValueType.NUMERIC, true));
        var later = new Retypes(
                test.db,
                Clock.offset(Clock.systemUTC(), Duration.ofDays(31)),
                test.accounts.lease.ids(),
                test.catalog,
                new WakeSignal());
        retype("product", "must", ValueType.JSONB, false);
        refused("records.retype-not-undoable", () -> later.undo(shop, "product", "must"));
    }

    @Test
    void savedQueriesAndIndexesGoOnWithValuesOfTheNewType() {
        var product = test.schema(shop, "product", "size text", "name text");
        var part = test.schema(shop, "part", "of text references=\"product\"", "size text");
        test.db.useTransaction(tx -> {
            saved(tx, 1, product, "{'and':[{'attr':'size','op':'in','value':['1','x']},{'attr':'name','value':'1'}]}");
            saved(
                    tx,
                    2,
                    part,
                    "{'not':{'or':[{'attr':'of.size','value':'2'},{'attr':'size','value':'2'},{'attr':'of.size','op':'exists'}]}}");
            tx.update("""
                    INSERT INTO records.hot_indexes (
                        project_id, name, schema_id, equality_attr, order_attr, state, reason, asked_at)
                    VALUES (:project, 'hot_5_0_%1$d_%2$s', %1$d, 5, 0, 'READY', '{}', now())
                    """.formatted(product.id(), shop.tables().suffix()))
                    .bind("project", shop.project().id().value())
                    .execute();
        });
        retype("product", "size", ValueType.NUMERIC, false);
        var rates = test.schema(shop, "rate", "share text");
        test.one(shop, "rate", "{'share': '25%'}");
        test.db.useTransaction(tx -> saved(tx, 3, rates, "{'attr':'share','op':'gte','value':'30%'}"));
        retype("rate", "share", ValueType.NUMERIC, false);
        assertThat(test
                        .db
                        .read(reads -> reads.query(
                                        "SELECT query ->> 'where' FROM records.saved_queries WHERE project_id = :project ORDER BY id")
                                .bind("project", shop.project().id().value())
                                .mapTo(String.class)
                                .list())
                        .stream()
                        .map(each -> json(each).toString())
                        .toList())
                .containsExactly(
                        json("{'and':[{'op':'in','attr':'size','value':[1,'x']},{'attr':'name','value':'1'}]}")
                                .toString(),
                        json("{'not':{'or':[{'attr':'of.size','value':2},{'attr':'size','value':'2'},{'op':'exists','attr':'of.size'}]}}")
                                .toString(),
                        json("{'op':'gte','attr':'share','value':30}").toString());
        assertThat(indexes()).containsExactly("hot_5_0 DROPPING", "hot_5_11 WANTED");
        test.retypes.undo(shop, "product", "size");
        assertThat(indexes()).containsExactly("hot_5_0 WANTED", "hot_5_11 DROPPING");
    }

    private void saved(Tx tx, long id, Schema schema, String where) {
        tx.update("""
                INSERT INTO records.saved_queries (id, project_id, owner, schema_id, name, query)
                VALUES (:id, :project, :owner, :schema, 'saved', CAST(:query AS jsonb))
                """)
                .bind("id", id)
                .bind("project", shop.project().id().value())
                .bind("owner", shop.user().value())
                .bind("schema", schema.id())
                .bind(
                        "query",
                        json("{'schema':'%s','where':%s}".formatted(schema.name(), where))
                                .toString())
                .execute();
    }

    private List<String> indexes() {
        return test.db.read(reads -> reads.query("""
                        SELECT substring(name FROM '^hot_[0-9]+_[0-9]+') || ' ' || state FROM records.hot_indexes
                        WHERE project_id = :project ORDER BY order_attr
                        """)
                .bind("project", shop.project().id().value())
                .mapTo(String.class)
                .list());
    }

    @Test
    void aRecordThatWasDeletedBeforeComesBackConverted() {
        test.schema(shop, "product", "size text");
        var id = test.one(shop, "product", "{'size': '3'}");
        test.records.patch(shop, "product", id, json("{'size': '4'}"), null);
        test.records.delete(shop, "product", id, null);
        retype("product", "size", ValueType.NUMERIC, false);
        test.history.restore(shop, "product", id, 2, null);
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"size\":4}");
        test.history.restore(shop, "product", id, 1, null);
        test.records.delete(shop, "product", id, null);
        test.history.restore(shop, "product", id, 5, null);
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"size\":3}");
        // Both side by side: each has its id and a history of its own.
        test.changes.change(shop, "product", "size", new AttributeChange("number", null, false));
        test.removed.restore(shop, "product", "0", true);
        test.records.patch(shop, "product", id, json("{'0': 'text', '6': 9}"), null);
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"size\":\"text\",\"number\":9}");
        refused("records.retype-not-undoable", () -> test.retypes.undo(shop, "product", "number"));
    }

    @Test
    void whatIsKeptForUndoingDoesNotKeepALargeRecordFromBeingWritten() {
        test.schema(shop, "product", "size text", "name text");
        var id = test.one(shop, "product", "{'size': '%s'}".formatted("x".repeat(600_000)));
        retype("product", "size", ValueType.JSONB, false);
        test.records.patch(shop, "product", id, json("{'name': 'n'}"), null);
        assertThat(test.get(shop, "product", id).version()).isEqualTo(2);
        refused(
                "records.invalid",
                () -> test.records.patch(
                        shop, "product", id, json("{'name': '%s'}".formatted("x".repeat(600_000))), null));
    }

    @Test
    void randomValuesAreConvertedAsAPlainRuleSays() {
        var random = new Random(7);
        for (var from : ValueType.values()) {
            for (var to : ValueType.values()) {
                // Lists have options: OptionChangesTest.
                if (from == to || from == ValueType.MULTI_SELECT || to == ValueType.MULTI_SELECT) {
                    continue;
                }
                var schema = from.label() + to.label();
                test.schema(shop, schema, "v " + from.label(), "other text");
                var values = IntStream.range(0, 25)
                        .mapToObj(i -> value(random, from))
                        .toList();
                var ids = test.insert(
                        shop,
                        schema,
                        values.stream().map("{'v': %s}"::formatted).toArray(String[]::new));
                var preview = test.retypes.preview(shop, schema, "v", new Change(to, true));
                retype(schema, "v", to, true);
                for (int i = 0; i < ids.size(); i++) {
                    var expected = expected(from, to, values.get(i));
                    assertThat(test.get(shop, schema, ids.get(i)).values().toString())
                            .as("%s of %s as %s", values.get(i), from, to)
                            .isEqualTo(
                                    expected == null
                                            ? "{}"
                                            : json("{'v': %s}".formatted(expected))
                                                    .toString());
                }
                assertThat(preview.failed())
                        .isEqualTo(values.stream()
                                .filter(each -> expected(from, to, each) == null)
                                .count());
            }
        }
    }

    /** A value as in the API, with single quotes. */
    private static String value(Random random, ValueType type) {
        return switch (type) {
            case NUMERIC ->
                new BigDecimal(random.nextInt(4))
                        .movePointLeft(random.nextInt(2))
                        .toPlainString();
            case BOOL -> String.valueOf(random.nextBoolean());
            case DATE -> "'%s'".formatted(day(random));
            case DATETIME -> "'%sT%s:00:00Z'".formatted(day(random), random.nextBoolean() ? "00" : "13");
            case TEXT ->
                switch (random.nextInt(5)) {
                    case 0 -> "'%s'".formatted(value(random, ValueType.NUMERIC));
                    case 1 -> "'%s'".formatted(value(random, ValueType.BOOL));
                    case 2 -> value(random, ValueType.DATE);
                    case 3 -> value(random, ValueType.DATETIME);
                    default -> "'word'";
                };
            case JSONB ->
                switch (random.nextInt(4)) {
                    case 0 -> value(random, ValueType.NUMERIC);
                    case 1 -> value(random, ValueType.BOOL);
                    case 2 -> value(random, ValueType.TEXT);
                    default -> "[1,{}]";
                };
            case MULTI_SELECT -> throw new IllegalArgumentException("without options");
        };
    }

    private static LocalDate day(Random random) {
        return LocalDate.ofEpochDay(random.nextInt(20_000));
    }

    /** The value that it becomes; null for one that cannot be converted. Written by what values look like. */
    private static @Nullable String expected(ValueType from, ValueType to, String value) {
        var bare = value.replace("'", "");
        boolean container = bare.startsWith("[");
        return switch (to) {
            case TEXT -> "'%s'".formatted(bare);
            case JSONB, MULTI_SELECT -> value;
            case NUMERIC ->
                bare.matches("-?[0-9.]+")
                        ? bare
                        : from != ValueType.TEXT && bare.matches("true|false") && !value.startsWith("'")
                                ? (bare.equals("true") ? "1" : "0")
                                : null;
            case BOOL ->
                switch (bare) {
                    case "true", "1", "1.0" -> bare.equals("1.0") && value.startsWith("'") ? null : "true";
                    case "false", "0", "0.0" -> bare.equals("0.0") && value.startsWith("'") ? null : "false";
                    default -> null;
                };
            case DATE ->
                bare.matches("\\d{4}-\\d\\d-\\d\\d")
                        ? value
                        : from == ValueType.DATETIME && bare.endsWith("T00:00:00Z")
                                ? "'%s'".formatted(bare.substring(0, 10))
                                : null;
            case DATETIME ->
                container || !bare.matches("\\d{4}-\\d\\d-\\d\\d(T.*)?")
                        ? null
                        : "'%s'"
                                .formatted(
                                        bare.length() > 10
                                                ? bare
                                                : LocalDate.parse(bare)
                                                        .atStartOfDay(ZoneOffset.UTC)
                                                        .toInstant());
        };
    }

    private Retypes.Outcome retype(String schema, String attribute, ValueType type, boolean clears) {
        return test.retypes.change(shop, schema, attribute, new Change(type, clears));
    }

    private static List<FieldError> refused(String code, ThrowingCallable call) {
        var problem = catchThrowableOfType(RecordsProblem.class, call);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).isEqualTo(code);
        return problem.fields();
    }
}
