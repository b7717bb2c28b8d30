package io.hiroba.records.query;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.records.AccessRules;
import io.hiroba.records.AccessRules.WriteKind;
import io.hiroba.records.AttributeChange;
import io.hiroba.records.OptionChanges;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RowId;
import io.hiroba.records.RowTest;
import io.hiroba.records.SelectOption;
import io.hiroba.testkit.TestQueries;
import io.hiroba.testkit.TestRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Rules by role and condition, and owners who see what they do. */
class RoleRulesTest {

    private static TestRecords records;
    private static TestQueries queries;
    private ProjectAccess owner;
    private ProjectAccess editor;
    private ProjectAccess viewer;

    @BeforeAll
    static void start() {
        records = new TestRecords();
        queries = new TestQueries(records);
    }

    @AfterAll
    static void stop() {
        queries.close();
        records.close();
    }

    @BeforeEach
    void aProject() {
        owner = records.project();
        editor = records.member(owner, ProjectRole.EDITOR);
        viewer = records.member(owner, ProjectRole.VIEWER);
        records.schema(
                owner,
                "deal",
                "title text",
                "stage text enum=[\"open\",\"won\",\"lost\"]",
                "worth numeric",
                "due date",
                "seen datetime",
                "hot bool",
                "tags multi_select enum=[\"a\",\"b\",\"c\"]",
                "more jsonb");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            title | eq         | ["b"]
            title | ne         | ["b"]
            title | gte        | ["b"]
            title | lte        | ["b"]
            title | startsWith | ["\uD83D"]
            title | startsWith | ["b"]
            title | in         | ["a", "😀"]
            title | notIn      | ["a", "😀"]
            title | gte        | ["\uFFFD"]
            title | exists     | []
            title | missing    | []
            stage | eq         | ["open"]
            stage | notIn      | ["open", "won"]
            worth | eq         | [10.0]
            worth | gt         | [10]
            worth | lte        | [9.99]
            worth | in         | [10, -1]
            due   | eq         | ["2026-01-31"]
            due   | lt         | ["2026-01-31"]
            seen  | gte        | ["2026-01-31T00:00:00+09:00"]
            hot   | eq         | [false]
            tags  | in         | ["a", "c"]
            tags  | notIn      | ["a", "c"]
            tags  | hasAll     | ["a", "b"]
            more  | exists     | []
            more  | missing    | []
            """)
    void aConditionMeansTheSameInAQueryAndForOneRecord(String attribute, String operator, String values) {
        var all = records.insert(
                owner,
                "deal",
                "{'title': 'a', 'stage': 'open', 'worth': 10, 'due': '2026-01-30', 'hot': true, 'tags': ['a', 'b']}",
                "{'title': 'b', 'stage': 'won', 'worth': 10.00, 'due': '2026-01-31', 'hot': false, 'tags': ['b', 'a']}",
                "{'title': 'bb', 'stage': 'lost', 'worth': 9.990000000000000000001, 'seen': '2026-01-30T15:00:00Z', 'tags': ['b']}",
                "{'title': '😀', 'worth': -1, 'seen': '2026-01-30T14:59:59.999999Z', 'tags': ['c'], 'more': {'x': 1}}",
                "{'title': '\uFFFD', 'worth': 1000000000000000000000000000000, 'more': null}",
                "{}");
        try {
            rules(new RowTest(attribute, operator, values(values)));
        } catch (RecordsProblem refusal) {
            // Half of a sign cannot be stored, nor asked for.
            assertThat(values).contains("\uD83D");
            return;
        }
        var one = new ArrayList<RowId>();
        for (var id : all) {
            try {
                records.get(viewer, "deal", id);
                one.add(id);
            } catch (RecordsProblem gone) {
                assertThat(gone.code()).isEqualTo("records.no-record");
            }
        }
        assertThat(found(viewer, null)).containsExactlyInAnyOrderElementsOf(one);
        assertThat(one).hasSizeBetween(1, 5);
        assertThat(found(owner, null)).hasSize(6);
        // The preview counts the same before the rules are saved.
        var schema = records.catalog.refreshed(owner.tables(), "deal");
        assertThat(queries.queries.countReadable(
                        owner, viewer, schema, schema.rules().binding(ProjectRole.VIEWER), 100))
                .isEqualTo(one.size());
    }

    @Test
    void aRuleFollowsAnOptionThatIsRenamed() {
        var lost =
                records.insert(owner, "deal", "{'title': 'a', 'stage': 'lost'}").getFirst();
        var hiding = new RowTest("stage", "ne", values("[\"lost\"]"));
        rules(hiding);
        var options = Stream.of("open", "won", "gone")
                .map(value -> new SelectOption(value, null, null))
                .toList();
        records.options.change(owner, "deal", "stage", new OptionChanges.Request(options, Map.of("lost", "gone")));
        assertThatThrownBy(() -> records.get(viewer, "deal", lost)).isInstanceOf(RecordsProblem.class);
        assertThatThrownBy(() -> rules(hiding)).as("a value that none can have").isInstanceOf(RecordsProblem.class);
    }

    @Test
    void viewersAndEditorsHaveRulesOfTheirOwn() {
        records.insert(
                owner,
                "deal",
                "{'title': 'a', 'stage': 'open', 'worth': 1}",
                "{'title': 'b', 'stage': 'won', 'worth': 2}");
        var viewers = rules(List.of(test("stage", "eq", "won")), Set.of("worth"), Set.of());
        var editors = rules(List.of(), Set.of(), Set.of(WriteKind.DELETE));
        records.schemas.setRules(owner, "deal", ProjectRole.EDITOR, editors);
        records.schemas.setRules(owner, "deal", ProjectRole.VIEWER, viewers);
        assertThat(found(viewer, null)).hasSize(1);
        assertThat(found(editor, null)).hasSize(2);
        assertThatThrownBy(() -> found(viewer, "worth")).hasMessageContaining("worth");
        assertThat(found(editor, "worth")).hasSize(2);
        // The same for both is one rule again, as it was before roles had their own.
        records.schemas.setRules(owner, "deal", ProjectRole.EDITOR, viewers);
        assertThat(records.schemas.get(owner, "deal").rules().editors()).isNull();
        assertThat(found(editor, null)).hasSize(1);
    }

    @Test
    void deniedWritesAreRefusedAndOthersAreNot() {
        var id = records.one(owner, "deal", "{'title': 'a'}");
        only(WriteKind.DELETE);
        records.one(editor, "deal", "{'title': 'b'}");
        records.records.patch(editor, "deal", id, json("{'title': 'c'}"), null);
        refused("records.delete-denied", () -> records.records.delete(editor, "deal", id, null));
        only(WriteKind.UPDATE);
        refused("records.update-denied", () -> records.records.patch(editor, "deal", id, json("{'title': 'd'}"), null));
        refused("records.update-denied", () -> records.history.restore(editor, "deal", id, 1, null));
        records.records.delete(editor, "deal", id, null);
        only(WriteKind.CREATE);
        refused("records.create-denied", () -> records.one(editor, "deal", "{'title': 'e'}"));
        refused("records.create-denied", () -> records.history.restore(editor, "deal", id, 1, null));
        records.one(owner, "deal", "{'title': 'e'}");
    }

    @Test
    void nobodyWritesARecordOutOfTheirSight() {
        rules(test("stage", "ne", "won"));
        var id = records.one(editor, "deal", "{'title': 'a', 'stage': 'open'}");
        assertThatThrownBy(() -> records.records.patch(editor, "deal", id, json("{'stage': 'won'}"), null))
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem ->
                                assertThat(problem.fields()).extracting("field").containsExactly("stage"));
        records.records.patch(owner, "deal", id, json("{'stage': 'won'}"), null);
        refused("records.no-record", () -> records.get(editor, "deal", id));
        refused("records.no-record", () -> records.records.delete(editor, "deal", id, null));
    }

    @Test
    void whatRulesCompareIsNeitherRemovedNorOfAnotherTypeAndKeepsItsNewName() {
        rules(test("stage", "eq", "won"));
        assertThatThrownBy(() -> records.removed.remove(owner, "deal", "stage")).hasMessageContaining("stage");
        records.insert(owner, "deal", "{'stage': 'won'}", "{'stage': 'lost'}");
        records.changes.change(owner, "deal", "stage", new AttributeChange("phase", null, false));
        assertThat(records.schemas.get(owner, "deal").rules().where())
                .extracting(RowTest::attribute)
                .containsExactly("phase");
        assertThat(found(viewer, null)).hasSize(1);
    }

    @Test
    void conditionsThatMakeNoSenseAreRefusedByField() {
        for (var bad : List.of(
                test("nothing", "eq", "x"),
                test("title", "contains", "x"),
                test("worth", "eq", "x"),
                test("stage", "gte", "open"),
                new RowTest("title", "eq", List.of()),
                new RowTest("title", "exists", values("[\"x\"]")),
                test("title", "drop table", "x"))) {
            assertThatThrownBy(() -> rules(bad))
                    .isInstanceOfSatisfying(
                            RecordsProblem.class,
                            problem -> assertThat(problem.fields())
                                    .extracting("field")
                                    .containsExactly("where[0]"));
        }
    }

    @Test
    void anOwnerSeesAsAnotherReadsAndNeverMore() {
        records.insert(owner, "deal", "{'title': 'a', 'worth': 1}", "{'title': 'b', 'worth': 2}");
        records.one(editor, "deal", "{'title': 'own'}");
        records.schemas.setRules(owner, "deal", new AccessRules(true, null, Set.of("worth"), Set.of()));
        var as = editor.user().hex();
        assertThat(seen(owner, as, null)).isEqualTo(found(editor, null)).hasSize(1);
        assertThat(seen(owner, "role:editor", null)).hasSize(2);
        assertThat(seen(owner, viewer.user().hex(), null)).isEmpty();
        assertThatThrownBy(() -> seen(owner, as, "worth")).hasMessageContaining("worth");
        for (var bad :
                List.of("role:owner", "role:", "role:VIEWER", "x", "", "FFFFFFFFFFFFFFFF", "role:viewer' OR 1=1")) {
            refused("records.invalid", () -> seen(owner, bad, null));
        }
        refused("records.owners-only", () -> seen(editor, "role:viewer", null));
        refused("records.owners-only", () -> seen(viewer, "nonsense", null));
        // Who is no owner any more sees as nobody, though answers are kept.
        var second = records.member(owner, ProjectRole.OWNER);
        assertThat(seen(second, as, null)).hasSize(1);
        records.member(owner, second.user(), ProjectRole.EDITOR);
        refused("records.owners-only", () -> seen(second, as, null));
        // Nothing is written as another.
        var access = records.projects.seeAs(owner, as);
        refused("records.seen-as", () -> records.one(access, "deal", "{'title': 'x'}"));
        refused("records.seen-as", () -> records.schemas.setRules(access, "deal", AccessRules.NONE));
        refused("records.seen-as", () -> records.projects.seeAs(access, "role:viewer"));
    }

    private void only(WriteKind denied) {
        records.schemas.setRules(owner, "deal", rules(List.of(), Set.of(), Set.of(denied)));
    }

    private void rules(RowTest test) {
        records.schemas.setRules(owner, "deal", rules(List.of(test), Set.of(), Set.of()));
    }

    private static AccessRules rules(List<RowTest> where, Set<String> hidden, Set<WriteKind> denied) {
        return new AccessRules(false, null, hidden, Set.of(), where, denied, null);
    }

    private static RowTest test(String attribute, String operator, String value) {
        return new RowTest(attribute, operator, values("[\"" + value + "\"]"));
    }

    private static List<JsonNode> values(String json) {
        return List.copyOf(json(json).values());
    }

    private static List<RowId> found(ProjectAccess access, @Nullable String sort) {
        return seen(access, null, sort);
    }

    private static List<RowId> seen(ProjectAccess access, @Nullable String as, @Nullable String sort) {
        var query = RecordQuery.all("deal");
        return queries
                .queries
                .page(
                        access.caller(),
                        access.project().id(),
                        as,
                        sort == null ? query : query.sortedBy(RecordSort.of(sort)))
                .rows()
                .stream()
                .map(ResultRow::id)
                .toList();
    }

    private static void refused(String code, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo(code));
    }
}
