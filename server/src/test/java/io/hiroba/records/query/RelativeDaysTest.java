package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.UserUpdate;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.testkit.TestQueries;
import io.hiroba.testkit.TestRecords;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Days that conditions say by words, and texts that they exclude. */
class RelativeDaysTest {

    private static TestRecords records;
    private static TestQueries queries;
    private static ProjectAccess owner;

    @BeforeAll
    static void fill() {
        records = new TestRecords();
        queries = new TestQueries(records);
        owner = records.project();
        records.schema(owner, "task", "title text required", "cost numeric", "due datetime", "day date", "tags jsonb");
        records.insert(
                owner,
                "task",
                "{'title': 'one', 'due': '2026-01-31T12:00:00+09:00', 'day': '2026-01-31'}",
                "{'title': 'two', 'due': '2026-02-01', 'day': '2026-02-01', 'tags': ['a', {'b': 1}]}",
                "{'title': '100% sure_thing', 'cost': 20.00}",
                "{'title': 'gt:5'}");
    }

    @AfterAll
    static void close() {
        queries.close();
        records.close();
    }

    private static List<String> titles(ProjectAccess access, String where) {
        var query = RecordQuery.all("task").where(ConditionParser.condition(TestRecords.json(where)));
        return queries.queries.page(access.caller(), access.project().id(), query).rows().stream()
                .map(row -> row.document().get(0).stringValue())
                .toList();
    }

    @Test
    void relativeDaysAreThoseOfNowInTheZoneOfTheReader() {
        var clock = records.accounts.clock;
        var before = clock.instant();
        try {
            clock.set(Instant.parse("2026-01-31T20:00:00Z"));
            for (var attribute : List.of("day", "due")) {
                assertThat(titles(owner, within(attribute, "today"))).containsExactly("one");
                assertThat(titles(owner, within(attribute, "today/Asia/Tokyo"))).containsExactly("two");
                assertThat(titles(owner, within(attribute, "tomorrow"))).containsExactly("two");
                assertThat(titles(owner, within(attribute, "next-2-days"))).containsExactly("one", "two");
                assertThat(titles(owner, "{'not': %s}".formatted(within(attribute, "this-week"))))
                        .hasSize(2);
            }
            move(ZoneId.of("Asia/Tokyo"));
            assertThat(titles(owner, within("day", "today"))).containsExactly("two");
            assertThat(titles(owner, within("day", "today/UTC"))).containsExactly("one");
            // An answer of yesterday is none of today, though no record was written.
            clock.set(Instant.parse("2026-02-01T20:00:00Z"));
            assertThat(titles(owner, within("day", "today"))).isEmpty();
            assertThat(titles(owner, within("day", "yesterday"))).containsExactly("two");
        } finally {
            clock.set(before);
            move(null);
        }
        for (var words : List.of("someday", "past-0-days", "today/Nowhere", "2026-02-30/2026-03-01", "TODAY")) {
            assertThatThrownBy(() -> titles(owner, within("day", words)))
                    .as(words)
                    .isInstanceOf(RecordsProblem.class);
        }
        assertThatThrownBy(() -> titles(owner, within("cost", "today"))).isInstanceOf(RecordsProblem.class);
    }

    private static void move(@Nullable ZoneId zone) {
        var me = owner.caller();
        var user = records.accounts.users.find(me.user()).orElseThrow().user();
        records.accounts.users.update(
                me, me.user(), new UserUpdate(user.nickname(), "", null, null, null, zone, null, null));
    }

    private static String within(String attribute, String words) {
        return "{'attr': '%s', 'op': 'within', 'value': '%s'}".formatted(attribute, words);
    }

    @ParameterizedTest
    @CsvSource({
        "today, 2026-03-01/2026-03-01",
        "yesterday, 2026-02-28/2026-02-28",
        "tomorrow, 2026-03-02/2026-03-02",
        "this-week, 2026-02-23/2026-03-01",
        "last-week, 2026-02-16/2026-02-22",
        "next-week, 2026-03-02/2026-03-08",
        "this-month, 2026-03-01/2026-03-31",
        "last-month, 2026-02-01/2026-02-28",
        "next-month, 2026-04-01/2026-04-30",
        "past-7-days, 2026-02-23/2026-03-01",
        "next-1-days, 2026-03-01/2026-03-01",
        "2026-01-01/2026-01-02, 2026-01-01/2026-01-02"
    })
    void wordsBecomeDays(String words, String days) {
        // A Sunday, the first of a month; in UTC it is the Saturday before.
        var now = Instant.parse("2026-02-28T16:00:00Z");
        assertThat(RelativeDays.settled(words, ZoneId.of("Asia/Tokyo"), now)).isEqualTo(days + "/Asia/Tokyo");
    }

    @Test
    void whatDoesNotContainATextIsTheOppositeOfWhatDoes() {
        assertThat(titles(owner, "{'attr': 'title', 'op': 'notContains', 'value': 'O'}"))
                .containsExactly("100% sure_thing", "gt:5");
        assertThat(titles(owner, "{'attr': 'tags', 'op': 'notContains', 'value': ['a']}"))
                .doesNotContain("two")
                .hasSize(3);
    }
}
