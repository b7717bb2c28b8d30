package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.records.Retypes.Change;
import io.hiroba.testkit.TestRecords;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Texts as spreadsheets have them become numbers, days, checks and lists. */
class RetypeTextsTest {

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

    /** The values of records with these texts after the change, and the format of their attribute. */
    private String retyped(Change change, String... texts) {
        test.schema(shop, "item", "v text");
        var ids = texts(texts);
        test.retypes.change(shop, "item", "v", change);
        var attribute = test.schemas.get(shop, "item").attribute("v").orElseThrow();
        var values = ids.stream()
                .map(id -> test.get(shop, "item", id).values().path("v").toString())
                .toList();
        var format = attribute.format();
        return values + (format == null ? "" : " " + format.kind());
    }

    private List<RowId> texts(String... texts) {
        return List.of(texts).stream()
                .map(text -> test.one(shop, "item", "{'v': '%s'}".formatted(text)))
                .toList();
    }

    @Test
    void amountsPercentagesDurationsAndChecks() {
        assertThat(retyped(new Change(ValueType.NUMERIC, false), "$1,200.50", "-＄3", "4"))
                .isEqualTo("[1200.50, -3, 4]");
        shop = test.project();
        assertThat(retyped(new Change(ValueType.NUMERIC, false), "25%", "12.5 %"))
                .isEqualTo("[25, 12.5] PERCENT");
        shop = test.project();
        assertThat(retyped(new Change(ValueType.NUMERIC, false), "0:01:30", "1:00:00"))
                .isEqualTo("[90, 3600] DURATION");
        shop = test.project();
        assertThat(retyped(new Change(ValueType.BOOL, false), "checked", "Unchecked"))
                .isEqualTo("[true, false]");
    }

    @Test
    void textsOfSeveralScalesCannotAllBeConverted() {
        assertThat(failures("25%", "３０％", "40")).containsExactly("25%", "３０％");
        assertThat(failures("$5", "€5", "7")).containsExactly("$5", "€5");
        assertThat(failures("9:30", "14:00")).as("times of the day").containsExactly("9:30", "14:00");
        assertThat(failures("1:30", "1:00:00")).containsExactly("1:30", "1:00:00");
        assertThat(failures("１:００:００")).as("full width").hasSize(1);
    }

    /** The texts that cannot be converted to numbers. */
    private List<String> failures(String... texts) {
        shop = test.project();
        test.schema(shop, "item", "v text");
        texts(texts);
        return test.retypes.preview(shop, "item", "v", new Change(ValueType.NUMERIC, false)).failures().stream()
                .map(Retypes.Failure::value)
                .toList();
    }

    @Test
    void anEarlierVersionIsConvertedAsAllTextsWereWhateverTheFormatIsNow() {
        test.schema(shop, "item", "v text");
        var id = texts("25%").getFirst();
        test.records.patch(shop, "item", id, json("{'v': '30%'}"), null);
        var deleted = texts("40%").getFirst();
        test.records.delete(shop, "item", deleted, null);
        test.retypes.change(shop, "item", "v", new Change(ValueType.NUMERIC, false));
        test.changes.change(shop, "item", "v", AttributeChange.ofFormat("", null));
        test.history.restore(shop, "item", id, 1, null);
        assertThat(test.get(shop, "item", id).values()).hasToString("{\"v\":25}");
        test.history.restore(shop, "item", deleted, 1, null);
        assertThat(test.get(shop, "item", deleted).values()).hasToString("{\"v\":40}");
    }

    @Test
    void theDefaultIsConvertedAsTheValuesAre() {
        test.schema(shop, "item", "v text default=\"25%\"", "day text default=\"20/8/2026\"");
        test.one(shop, "item", "{'v': '30%'}");
        test.retypes.change(shop, "item", "v", new Change(ValueType.NUMERIC, false));
        test.retypes.change(shop, "item", "day", new Change(ValueType.DATE, false));
        var id = test.one(shop, "item", "{}");
        assertThat(test.get(shop, "item", id).values()).hasToString("{\"v\":25,\"day\":\"2026-08-20\"}");
    }

    @Test
    void theOrderOfDaysIsThatOfAllTexts() {
        assertThat(retyped(new Change(ValueType.DATE, false), "8/7/2026", "8/20/2026"))
                .isEqualTo("[\"2026-08-07\", \"2026-08-20\"]");
        shop = test.project();
        assertThat(retyped(new Change(ValueType.DATE, false), "8/7/2026", "20/7/2026"))
                .isEqualTo("[\"2026-07-08\", \"2026-07-20\"]");
        shop = test.project();
        test.schema(shop, "item", "v text");
        var ids = texts("8/7/2026");
        var open = test.retypes.preview(shop, "item", "v", new Change(ValueType.DATE, false));
        assertThat(open.failed()).isOne();
        assertThat(open.failures().getFirst().reason()).asString().contains("two days");
        test.retypes.change(shop, "item", "v", new Change(ValueType.DATE, false, DateOrder.DAY_FIRST));
        assertThat(test.get(shop, "item", ids.getFirst()).values()).hasToString("{\"v\":\"2026-07-08\"}");
    }

    @Test
    void textsWithCommasBecomeListsOfTheirParts() {
        assertThat(retyped(new Change(ValueType.MULTI_SELECT, false), "b, a", "a、c;a", "d"))
                .isEqualTo("[[\"b\",\"a\"], [\"a\",\"c\"], [\"d\"]]");
        var attribute = test.schemas.get(shop, "item").attribute("v").orElseThrow();
        assertThat(attribute.choices()).extracting(SelectOption::value).containsExactly("a", "b", "c", "d");
        var id = test.one(shop, "item", "{'v': ['c', 'd']}");
        test.retypes.undo(shop, "item", "v");
        assertThat(test.get(shop, "item", id).values()).hasToString("{}");
    }

    @Test
    void aListHasNoMoreOptionsThanItMay() {
        test.schema(shop, "item", "v text");
        var words = IntStream.rangeClosed(0, SelectOption.MAX_OPTIONS)
                .mapToObj("{'v': 'w%d'}"::formatted)
                .toArray(String[]::new);
        test.insert(shop, "item", Arrays.copyOf(words, SelectOption.MAX_OPTIONS));
        test.insert(shop, "item", words[SelectOption.MAX_OPTIONS]);
        var preview = test.retypes.preview(shop, "item", "v", new Change(ValueType.MULTI_SELECT, false));
        assertThat(preview.refused())
                .extracting(each -> each.message().key())
                .containsExactly("records.change.too-many-options");
    }

    @Test
    void theIdOfBeforeIsNoFormerName() {
        test.schema(shop, "item", "v text");
        var id = test.one(shop, "item", "{'v': '3'}");
        test.retypes.change(shop, "item", "v", new Change(ValueType.NUMERIC, false));
        var view = SchemaView.of(shop, test.schemas.get(shop, "item"), test.schemas.list(shop));
        assertThat(view.attributes().getFirst().formerNames()).isEmpty();
        // It leads to it all the same.
        test.records.patch(shop, "item", id, json("{'0': 4}"), null);
        assertThat(test.get(shop, "item", id).values()).hasToString("{\"v\":4}");
    }
}
