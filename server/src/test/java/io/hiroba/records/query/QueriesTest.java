package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.records.AccessRules;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.RecordsProblem;
import io.hiroba.testkit.TestQueries;
import io.hiroba.testkit.TestRecords;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class QueriesTest {

    private static TestRecords records;
    private static TestQueries queries;
    private static ProjectAccess owner;

    @BeforeAll
    static void fill() {
        records = new TestRecords();
        queries = new TestQueries(records);
        owner = records.project();
        records.schema(owner, "person", "name text required", "secret text");
        records.schema(
                owner,
                "task",
                "title text required",
                "cost numeric",
                "due datetime",
                "day date",
                "done bool",
                "tags jsonb",
                "assignee text",
                "author text references=\"person\"");
        var ada = records.one(owner, "person", "{'name': 'Ada', 'secret': 'x'}");
        var bob = records.one(owner, "person", "{'name': 'Bob'}");
        records.insert(
                owner,
                "task",
                "{'title': 'one', 'cost': 0.10, 'due': '2026-01-31T12:00:00+09:00', 'day': '2026-01-31', 'done': true, 'author': '%s'}"
                        .formatted(ada),
                "{'title': 'two', 'cost': 20, 'due': '2026-02-01', 'day': '2026-02-01', 'tags': ['a', {'b': 1}], 'author': '%s'}"
                        .formatted(bob),
                "{'title': '100%% sure_thing', 'cost': 20.00, 'done': false}".formatted(),
                "{'title': 'gt:5'}");
    }

    @AfterAll
    static void close() {
        queries.close();
        records.close();
    }

    private static List<String> titles(ProjectAccess access, String where) {
        var query = RecordQuery.all("task").where(ConditionParser.condition(TestRecords.json(where)));
        return found(access, query).rows().stream()
                .map(row -> row.document().get(0).stringValue())
                .toList();
    }

    private static QueryResult found(ProjectAccess access, RecordQuery query) {
        return queries.queries.page(access.caller(), access.project().id(), query);
    }

    @Test
    void theDesignDocumentsFormIsUnderstoodAndAColonInAValueIsNone() {
        assertThat(titles(owner, "{'l': 'and', 'c': [{'a': 'cost', 'v': 'gte:20'}, {'a': 'title', 'v': 'two'}]}"))
                .containsExactly("two");
        assertThat(titles(owner, "{'l': 'or', 'c': [{'a': 'title', 'v': 'equals:gt:5'}, {'a': 'cost', 'v': '0.1'}]}"))
                .containsExactly("one", "gt:5");
        assertThat(titles(owner, "{'a': 'title', 'v': 'not_equals:one'}")).hasSize(3);
        assertThat(titles(owner, "{'a': 'title', 'v': 'in:one,two'}")).containsExactly("one", "two");
    }

    @Test
    void wildcardsAreLettersLikeOthers() {
        assertThat(titles(owner, "{'attr': 'title', 'op': 'startsWith', 'value': '100%'}"))
                .hasSize(1);
        assertThat(titles(owner, "{'attr': 'title', 'op': 'startsWith', 'value': '1_0'}"))
                .isEmpty();
        assertThat(titles(owner, "{'attr': 'title', 'op': 'contains', 'value': '%'}"))
                .hasSize(1);
        assertThat(titles(owner, "{'attr': 'title', 'op': 'contains', 'value': 'SURE_'}"))
                .hasSize(1);
    }

    @Test
    void numbersAreEqualHoweverTheyAreWrittenAndKeepTheirDigits() {
        assertThat(titles(owner, "{'attr': 'cost', 'value': 20.0}")).hasSize(2);
        var json = new String(
                QueryResultWriter.page(found(owner, RecordQuery.all("task").sortedBy(RecordSort.of("cost")))),
                java.nio.charset.StandardCharsets.UTF_8);
        assertThat(json).contains("\"cost\":0.10").contains("\"cost\":20.00");
    }

    @Test
    void datesAreMomentsWhateverTheirOffset() {
        assertThat(titles(owner, "{'attr': 'due', 'value': '2026-01-31T03:00:00Z'}"))
                .containsExactly("one");
        assertThat(titles(owner, "{'attr': 'due', 'op': 'gt', 'value': '2026-01-31T23:00:00-02:00'}"))
                .isEmpty();
    }

    @Test
    void jsonIsFoundByWhatItContains() {
        assertThat(titles(owner, "{'attr': 'tags', 'op': 'contains', 'value': [{'b': 1}]}"))
                .containsExactly("two");
    }

    @Test
    void notIsTheOppositeAlsoOfWhatIsMissing() {
        assertThat(titles(owner, "{'not': {'attr': 'cost', 'op': 'gt', 'value': 1}}"))
                .containsExactly("one", "gt:5");
        assertThat(titles(owner, "{'attr': 'done', 'op': 'ne', 'value': true}")).hasSize(3);
        assertThat(titles(owner, "{'attr': 'cost', 'op': 'missing'}")).containsExactly("gt:5");
    }

    @Test
    void aReferenceIsLookedThrough() {
        assertThat(titles(owner, "{'attr': 'author.name', 'value': 'Ada'}")).containsExactly("one");
        assertThat(titles(owner, "{'attr': 'author.name', 'op': 'ne', 'value': 'Ada'}"))
                .hasSize(3);
        assertThat(titles(owner, "{'attr': 'author.secret', 'op': 'missing'}")).hasSize(3);
        var json = new String(
                QueryResultWriter.page(
                        found(owner, RecordQuery.all("task").selecting(List.of("title", "author.name")))),
                java.nio.charset.StandardCharsets.UTF_8);
        assertThat(json).contains("{\"title\":\"one\",\"author.name\":\"Ada\"}").contains("{\"title\":\"gt:5\"}");
    }

    @Test
    void aWrongTypeIsAnErrorAndSoIsAnUnknownName() {
        assertThatThrownBy(() -> titles(owner, "{'attr': 'cost', 'value': '20'}"))
                .isInstanceOf(RecordsProblem.class)
                .hasMessage("`cost` must be a number.");
        assertThatThrownBy(() -> titles(owner, "{'attr': 'done', 'op': 'gt', 'value': true}"))
                .hasMessage("`done` is bool and cannot be tested with `gt`.");
        assertThatThrownBy(() -> titles(owner, "{'attr': 'x\\\" OR 1=1', 'value': 1}"))
                .isInstanceOf(RecordsProblem.class);
        assertThatThrownBy(() -> titles(owner, "{'attr': 'title.name', 'value': 'Ada'}"))
                .hasMessageContaining("is no reference");
        assertThatThrownBy(() -> titles(owner, "{'attr': 'cost', 'value': null}"))
                .hasMessageContaining("use `missing`");
        assertThatThrownBy(() -> found(owner, RecordQuery.all("task").sortedBy(RecordSort.of("tags"))))
                .hasMessageContaining("no order");
    }

    @Test
    void aCursorIsGoodForItsOwnOrderOnly() {
        var first = found(
                owner, RecordQuery.all("task").sortedBy(RecordSort.of("cost")).limit(1));
        assertThatThrownBy(() -> found(
                        owner,
                        RecordQuery.all("task").sortedBy(RecordSort.of("-cost")).after(first.next())))
                .hasMessageContaining("cursor");
    }

    @Test
    void whoIsNoMemberIsToldOfNoProjectAndALostRoleCountsAtOnce() {
        var viewer = records.member(owner, ProjectRole.VIEWER);
        assertThat(found(viewer, RecordQuery.all("task")).rows()).hasSize(4);
        records.projects.remove(owner.caller(), owner.project().id(), viewer.user());
        assertThatThrownBy(() -> found(viewer, RecordQuery.all("task"))).hasMessageContaining("no such project");
        var stranger = new ProjectAccess(records.person("stranger"), owner.project(), ProjectRole.OWNER);
        assertThatThrownBy(() -> found(stranger, RecordQuery.all("task"))).hasMessageContaining("no such project");
    }

    @Test
    void rulesBindQueriesAggregatesAndWhatIsJoinedFromTheMomentTheyAreMade() {
        var other = records.project();
        records.schema(other, "note", "text text required", "assignee text", "salary numeric");
        var editor = records.member(other, ProjectRole.EDITOR);
        records.insert(
                other,
                "note",
                "{'text': 'theirs', 'salary': 5}",
                "{'text': 'for', 'assignee': '%s'}".formatted(editor.user()));
        records.insert(editor, "note", "{'text': 'own', 'salary': 7}");
        assertThat(found(editor, RecordQuery.all("note")).rows()).hasSize(3);

        records.schemas.setRules(other, "note", new AccessRules(true, null, Set.of("salary"), Set.of()));
        assertThat(found(editor, RecordQuery.all("note")).rows()).hasSize(1);
        assertThat(found(editor, RecordQuery.all("note")).attributes())
                .extracting("name")
                .doesNotContain("salary");
        assertThat(found(other, RecordQuery.all("note")).rows()).hasSize(3);
        assertThatThrownBy(() -> found(editor, RecordQuery.all("note").sortedBy(RecordSort.of("salary"))))
                .hasMessageContaining("salary");
        assertThat(count(editor)).isEqualTo("1");
        assertThatThrownBy(() -> sum(editor, "salary")).hasMessageContaining("salary");

        records.schemas.setRules(
                other,
                "note",
                new AccessRules(false, new AccessRules.Matching("assignee", AccessRules.Trait.ID), Set.of(), Set.of()));
        assertThat(found(editor, RecordQuery.all("note").counting(RecordQuery.Count.EXACT))
                        .rows())
                .extracting(row -> row.document().get(0).stringValue())
                .containsExactly("for");
        assertThat(count(other)).isEqualTo("3");
    }

    private static String count(ProjectAccess access) {
        return aggregate(access, "note", new Aggregates.Measure(Aggregates.Function.COUNT, null));
    }

    private static String sum(ProjectAccess access, String attribute) {
        return aggregate(access, "note", new Aggregates.Measure(Aggregates.Function.SUM, attribute));
    }

    private static String aggregate(ProjectAccess access, String schema, Aggregates.Measure measure) {
        var query = new Aggregates.Query(schema, null, List.of(), List.of(measure), 10, "UTC", false);
        return String.valueOf(queries.queries
                .aggregate(access.caller(), access.project().id(), query)
                .rows()
                .getFirst()
                .figures()
                .getFirst());
    }

    @Test
    void groupsAreCountedAndSummedUp() {
        var query = new Aggregates.Query(
                "task",
                null,
                List.of(new Aggregates.Group("done", null)),
                List.of(
                        new Aggregates.Measure(Aggregates.Function.COUNT, null),
                        new Aggregates.Measure(Aggregates.Function.SUM, "cost"),
                        new Aggregates.Measure(Aggregates.Function.MAX, "due")),
                10,
                "UTC",
                false);
        var result = queries.queries.aggregate(owner.caller(), owner.project().id(), query);
        assertThat(result.rows())
                .extracting(row -> row.keys() + " " + row.figures())
                .containsExactly(
                        "[false] [1, 20.00, null]",
                        "[true] [1, 0.10, \"2026-01-31T03:00:00Z\"]",
                        "[null] [2, 20, \"2026-02-01T00:00:00Z\"]");
        assertThat(result.complete()).isTrue();
    }

    @Test
    void datesFallIntoTheDaysOfATimeZone() {
        var query = new Aggregates.Query(
                "task",
                ConditionParser.condition(TestRecords.json("{'attr': 'due', 'op': 'exists'}")),
                List.of(new Aggregates.Group("due", Aggregates.Unit.MONTH)),
                List.of(new Aggregates.Measure(Aggregates.Function.COUNT, null)),
                10,
                "Asia/Tokyo",
                true);
        var result = queries.queries.aggregate(owner.caller(), owner.project().id(), query);
        assertThat(result.rows())
                .extracting(row -> row.keys() + " " + row.figures())
                .containsExactlyInAnyOrder("[\"2025-12-31T15:00:00Z\"] [1]", "[\"2026-01-31T15:00:00Z\"] [1]");
    }

    @Test
    void aDayIsTheSameInEveryZone() {
        for (var zone : List.of("America/Los_Angeles", "Asia/Tokyo")) {
            var query = new Aggregates.Query(
                    "task",
                    ConditionParser.condition(TestRecords.json("{'attr': 'day', 'op': 'exists'}")),
                    List.of(new Aggregates.Group("day", Aggregates.Unit.MONTH)),
                    List.of(new Aggregates.Measure(Aggregates.Function.MAX, "day")),
                    10,
                    zone,
                    false);
            assertThat(queries.queries
                            .aggregate(owner.caller(), owner.project().id(), query)
                            .rows())
                    .extracting(row -> row.keys() + " " + row.figures())
                    .as(zone)
                    .containsExactly("[\"2026-01-01\"] [\"2026-01-31\"]", "[\"2026-02-01\"] [\"2026-02-01\"]");
        }
        assertThat(titles(owner, "{'attr': 'day', 'value': '2026-01-31'}")).containsExactly("one");
        assertThat(titles(owner, "{'attr': 'day', 'op': 'gt', 'value': '2026-01-31'}"))
                .containsExactly("two");
        // As filters said it when a date was a moment.
        assertThat(titles(owner, "{'attr': 'day', 'value': '2026-01-31T00:00:00+09:00'}"))
                .containsExactly("one");
        assertThatThrownBy(() -> titles(owner, "{'attr': 'day', 'value': '2026-01-31T12:00:00Z'}"))
                .hasMessageContaining("without a time");
    }

    @Test
    void fewRecordsAreCountedExactlyWithoutStatistics() {
        for (var where : List.of(
                "{}|4",
                "{'and': [{'attr': 'cost', 'op': 'gt', 'value': 0}, {'attr': 'cost', 'op': 'lt', 'value': 30}, {'attr': 'title', 'op': 'ne', 'value': 'x'}]}|3",
                "{'or': [{'attr': 'title', 'value': 'one'}, {'attr': 'cost', 'value': 20}]}|3",
                "{'attr': 'author.name', 'value': 'Ada'}|1",
                "{'not': {'attr': 'done', 'value': true}}|3")) {
            var parts = where.split("\\|");
            var query = RecordQuery.all("task")
                    .where(ConditionParser.condition(TestRecords.json(parts[0])))
                    .limit(1);
            assertThat(found(owner, query.counting(RecordQuery.Count.ESTIMATE)).count())
                    .as(where)
                    .isEqualTo(new QueryResult.Counted(Long.parseLong(parts[1]), true));
        }
    }

    @Test
    void onlyOwnersAreExplainedTo() {
        var explained = queries.queries.explain(owner.caller(), owner.project().id(), RecordQuery.all("task"));
        assertThat(explained.sql()).contains("ORDER BY r.row_id");
        assertThat(explained.plan()).anyMatch(line -> line.contains("Index Scan"));
        var viewer = records.member(owner, ProjectRole.VIEWER);
        assertThatThrownBy(() -> queries.queries.explain(
                        viewer.caller(), viewer.project().id(), RecordQuery.all("task")))
                .hasMessageContaining("owners");
    }

    @Test
    void documentsAreReadAsTheyAreStored() {
        var row = found(owner, RecordQuery.all("person").limit(1)).rows().getFirst();
        assertThat(Documents.shown(queries.schema(owner, "person").attributes(), row.document())
                        .toString())
                .isEqualTo("{\"name\":\"Ada\",\"secret\":\"x\"}");
    }
}
