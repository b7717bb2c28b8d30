package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.testkit.TestRecords;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Options of texts are changed, and stay what they are through other changes. */
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
