package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.testkit.TestRecords;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Options of texts and of lists are changed, and stay what they are through other changes. */
class OptionChangesTest {

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
    void optionsAreAddedRenamedAndRemovedAndValuesFollow() {
        test.schema(shop, "task", "name text", "state text enum=[\"todo\",\"doing\"] default=\"todo\"");
        var ids = test.insert(shop, "task", "{'name': 'a'}", "{'name': 'b', 'state': 'doing'}");
        var coloured = options("todo:Open:gray", "doing::blue", "done:Done:green");
        var changed = test.options.change(shop, "task", "state", new OptionChanges.Request(coloured, Map.of()));
        assertThat(changed.attribute("state").orElseThrow().choices()).isEqualTo(coloured);
        test.records.patch(shop, "task", ids.get(1), json("{'state': 'done'}"), null);

        assertThat(refused(
                        "records.cannot-evolve",
                        () -> test.options.change(
                                shop, "task", "state", new OptionChanges.Request(options("todo"), Map.of()))))
                .extracting(FieldError::field)
                .containsExactly("options");
        var preview = test.options.preview(
                shop, "task", "state", new OptionChanges.Request(options("open"), Map.of("todo", "open")));
        assertThat(preview.changed()).isOne();
        assertThat(preview.unlisted()).containsExactly(Map.entry("done", 1L));
        // A rename and a removal with a replacement at once, and in another order.
        test.options.change(
                shop,
                "task",
                "state",
                new OptionChanges.Request(options("closed::red", "open"), Map.of("todo", "open", "done", "closed")));
        assertThat(test.get(shop, "task", ids.get(0)).values()).hasToString("{\"name\":\"a\",\"state\":\"open\"}");
        assertThat(test.get(shop, "task", ids.get(1)).values().get("state").stringValue())
                .isEqualTo("closed");
        assertThat(test.history.page(shop, "task", ids.get(0), 9, 9)).hasSize(2);
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"eav_@\" WHERE value_text IN ('open', 'closed')"))
                .isEqualTo(2);
        var state = test.schemas.get(shop, "task").attribute("state").orElseThrow();
        assertThat(state.initial()).hasToString("\"open\"");
        refused("records.invalid", () -> test.insert(shop, "task", "{'state': 'todo'}"));
        // What says nothing of titles and colours keeps them.
        test.schemas.evolve(
                shop,
                "task",
                definition("task", "name text", "state text enum=[\"closed\",\"open\",\"new\"] default=\"open\""));
        assertThat(test.schemas
                        .get(shop, "task")
                        .attribute("state")
                        .orElseThrow()
                        .choice("closed")
                        .color())
                .isEqualTo("red");
    }

    @Test
    void conditionsOfEveryFormFollowARenamedOption() {
        var query = (ObjectNode) json("""
                {'where': {'l': 'or', 'c': [{'a': 'state', 'v': 'todo'}, {'a': 'state', 'v': 'in:todo,other'},
                    {'a': 'name', 'v': 'todo'}, {'a': 'state', 'v': 'starts_with:todo'},
                    {'attr': 'state', 'op': 'not_in', 'value': ['todo']}]}}
                """);
        assertThat(SavedQueryNames.revalued(query, "state"::equals, Map.of("todo", "in: work, now"))
                        .path("where")
                        .path("c"))
                .hasToString(json("""
                        [{'attr': 'state', 'op': 'eq', 'value': 'in: work, now'},
                         {'attr': 'state', 'op': 'in', 'value': ['in: work, now', 'other']},
                         {'a': 'name', 'v': 'todo'}, {'a': 'state', 'v': 'starts_with:todo'},
                         {'attr': 'state', 'op': 'not_in', 'value': ['in: work, now']}]
                        """).toString());
    }

    @Test
    void optionsThatMakeNoSenseAreRefused() {
        test.schema(shop, "task", "state text", "n numeric", "code text unique", "must text required");
        test.insert(shop, "task", "{'state': 'a', 'must': 'x'}", "{'state': 'b', 'must': 'x'}");
        for (var bad : List.of(options(" a"), options("a", "a"), options("a::plaid"))) {
            refused(
                    "records.invalid",
                    () -> test.options.change(shop, "task", "state", new OptionChanges.Request(bad, Map.of())));
        }
        refused(
                "records.invalid",
                () -> test.options.change(shop, "task", "n", new OptionChanges.Request(options("1"), Map.of())));
        refused(
                "records.invalid",
                () -> test.options.change(
                        shop, "task", "code", new OptionChanges.Request(options("1"), Map.of("2", "1"))));
        refused(
                "records.invalid",
                () -> test.options.change(
                        shop, "task", "state", new OptionChanges.Request(options("a"), Map.of("b", "c"))));
        refused(
                "records.invalid",
                () -> test.options.change(
                        shop,
                        "task",
                        "must",
                        new OptionChanges.Request(options("y"), Collections.singletonMap("x", null))));
        var editor = test.member(shop, ProjectRole.EDITOR);
        refused(
                "records.owners-only",
                () -> test.options.change(
                        editor, "task", "state", new OptionChanges.Request(options("a", "b"), Map.of())));
        test.options.change(
                shop, "task", "state", new OptionChanges.Request(options("a"), Collections.singletonMap("b", null)));
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"eav_@\" WHERE value_text IN ('a', 'b')"))
                .isOne();
    }

    @Test
    void severalOptionsAreChosenInAnOrderAndFollowTheirOptions() {
        test.schema(shop, "task", "name text", "tags multi_select enum=[\"a\",\"b\",\"c\"] default=[\"c\"]");
        var one = test.one(shop, "task", "{'tags': ['b', 'a']}");
        var none = test.one(shop, "task", "{'tags': []}");
        var initial = test.one(shop, "task", "{}");
        assertThat(tags(one)).isEqualTo("[\"b\",\"a\"]");
        assertThat(tags(none)).isEmpty();
        assertThat(tags(initial)).isEqualTo("[\"c\"]");
        for (var wrong : List.of("'a'", "['a', 'a']", "['d']", "[1]", "[null]")) {
            assertThat(refused("records.invalid", () -> test.one(shop, "task", "{'tags': %s}".formatted(wrong))))
                    .as(wrong)
                    .extracting(FieldError::field)
                    .containsExactly("[0].tags");
        }
        assertThat(choices()).isEqualTo("a1 b1 c1");
        test.records.patch(shop, "task", one, json("{'tags': ['c', 'b'], 'name': 'x'}"), null);
        test.records.patch(shop, "task", one, json("{'name': 'y'}"), null);
        assertThat(choices()).isEqualTo("b1 c2");
        test.history.restore(shop, "task", one, 1, null);
        assertThat(choices()).isEqualTo("a1 b1 c1");

        // a becomes b, which stands where the first of both stood; c goes.
        var replacements = new HashMap<String, @Nullable String>();
        replacements.put("a", "b");
        replacements.put("c", null);
        var request = new OptionChanges.Request(options("b:Bee:red", "d"), replacements);
        assertThat(test.options.preview(shop, "task", "tags", request).changed())
                .isEqualTo(2);
        assertThat(refused(
                        "records.cannot-evolve",
                        () -> test.options.change(
                                shop, "task", "tags", new OptionChanges.Request(options("d"), Map.of("a", "d")))))
                .extracting(FieldError::field)
                .contains("options");
        test.options.change(shop, "task", "tags", request);
        assertThat(tags(one)).isEqualTo("[\"b\"]");
        assertThat(tags(initial)).isEmpty();
        assertThat(choices()).isEqualTo("b1");
        var tags = test.schemas.get(shop, "task").attribute("tags").orElseThrow();
        assertThat(tags.initial()).isNull();
        assertThat(tags.choices()).isEqualTo(options("b:Bee:red", "d"));
        refused(
                "records.invalid",
                () -> test.options.change(shop, "task", "tags", new OptionChanges.Request(List.of(), Map.of())));
        refused(
                "records.invalid",
                () -> test.changes.change(shop, "task", "tags", AttributeChange.ofConstraints(null, true, null)));
        refused(
                "records.cannot-evolve",
                () -> test.changes.change(shop, "task", "tags", AttributeChange.ofConstraints(true, null, null)));
        refused("records.invalid", () -> test.schema(shop, "other", "tags multi_select"));
        test.records.delete(shop, "task", one, null);
        assertThat(choices()).isEmpty();
    }

    @Test
    void oneOptionBecomesSeveralAndBack() {
        test.schema(shop, "task", "state text enum=[\"a\",\"b\"]", "name text", "no numeric");
        var styled = options("a:Ay:gray", "b");
        test.options.change(shop, "task", "state", new OptionChanges.Request(styled, Map.of()));
        var id = test.one(shop, "task", "{'state': 'a', 'name': 'x'}");
        var several = new Retypes.Change(ValueType.MULTI_SELECT, false);
        refused("records.cannot-evolve", () -> test.retypes.change(shop, "task", "no", several));
        var changed = test.retypes.change(shop, "task", "state", several).schema();
        assertThat(changed.attribute("state").orElseThrow().choices()).isEqualTo(styled);
        assertThat(choices()).isEqualTo("a1");
        test.records.patch(shop, "task", id, json("{'state': ['b', 'a']}"), null);
        var text = test.retypes
                .change(shop, "task", "state", new Retypes.Change(ValueType.TEXT, false))
                .schema();
        assertThat(test.get(shop, "task", id).values().path("state").stringValue())
                .isEqualTo("b, a");
        assertThat(text.attribute("state").orElseThrow().options()).isEmpty();
        test.retypes.undo(shop, "task", "state");
        assertThat(test.get(shop, "task", id).values().path("state")).hasToString("[\"b\",\"a\"]");
        assertThat(choices()).isEqualTo("a1 b1");
    }

    private String tags(RowId id) {
        return test.get(shop, "task", id).values().path("tags").toString();
    }

    /** How many records have each option, as the index knows it. */
    private String choices() {
        return test.db.read(reads -> reads.query("""
                SELECT coalesce(string_agg(c.value_text || c.records, ' ' ORDER BY c.value_text), '')
                FROM (SELECT value_text, count(*) AS records FROM %s GROUP BY 1) AS c
                """.formatted(shop.tables().choices()))
                .mapTo(String.class)
                .one());
    }

    /** Options of texts such as {@code value:title:color}. */
    private static List<SelectOption> options(String... texts) {
        return Stream.of(texts)
                .map(text -> text.split(":", -1))
                .map(parts -> new SelectOption(
                        parts[0], parts.length > 1 ? parts[1] : null, parts.length > 2 ? parts[2] : null))
                .toList();
    }

    @Test
    void noOtherChangeLosesTitlesAndColours() {
        test.schema(shop, "task", "name text", "state text enum=[\"1\",\"2\"]");
        test.insert(shop, "task", "{'state': '1'}", "{'state': '2'}");
        var styled = options("1:One:gray", "2::blue");
        var set = test.options.change(shop, "task", "state", new OptionChanges.Request(styled, Map.of()));
        assertStyled(styled, set);
        assertStyled(styled, test.changes.change(shop, "task", "state", new AttributeChange("level", "Level", false)));
        assertStyled(styled, test.removed.reorder(shop, "task", List.of("level", "name")));
        for (var change : List.of(
                AttributeChange.ofConstraints(true, null, null),
                AttributeChange.ofConstraints(null, true, null),
                AttributeChange.ofConstraints(null, false, json("{'x': '1'}").get("x")))) {
            assertStyled(styled, test.changes.change(shop, "task", "level", change));
        }
        test.changes.change(shop, "task", "level", AttributeChange.ofConstraints(false, null, null));
        test.removed.remove(shop, "task", "level");
        assertStyled(styled, test.removed.restore(shop, "task", "level"));
        // A number has no titles; the text of before keeps its own, and has them again when the change is undone.
        for (var type : List.of(ValueType.NUMERIC, ValueType.BOOL, ValueType.JSONB)) {
            var retyped = test.retypes
                    .change(shop, "task", "level", new Retypes.Change(type, true))
                    .schema()
                    .attribute("level")
                    .orElseThrow();
            assertThat(retyped.styles()).isEmpty();
            assertThat(retyped.isSelect()).isFalse();
            assertStyled(styled, test.retypes.undo(shop, "task", "level"));
        }
        var same = test.retypes.change(shop, "task", "level", new Retypes.Change(ValueType.TEXT, false));
        assertStyled(styled, same.schema());
        refused("records.invalid", () -> test.insert(shop, "task", "{'level': '3'}"));
    }

    private static void assertStyled(List<SelectOption> styled, Schema schema) {
        var attribute = schema.attributes().stream()
                .filter(SchemaAttribute::isSelect)
                .findFirst()
                .orElseThrow();
        assertThat(attribute.choices()).isEqualTo(styled);
    }

    private static List<FieldError> refused(String code, ThrowingCallable call) {
        var problem = catchThrowableOfType(RecordsProblem.class, call);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).isEqualTo(code);
        return problem.fields();
    }
}
