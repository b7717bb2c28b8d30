package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.testkit.TestRecords;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults of formulas are told in the words of whoever writes them. */
class FormulaFaultsTest {

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
    void faultsAreToldInWordsOfPeople() {
        test.schema(shop, "item", "price numeric", "name text", "due date", "at datetime", "ok bool");
        assertThat(fault("name.map(x, x)")).contains("a list is needed here, and this is a text");
        assertThat(fault("name == 1")).contains("`==` cannot take a text and a number");
        assertThat(fault("name < price")).contains("`<` cannot take a text and a number");
        assertThat(fault("due + 1")).contains("`+` cannot take a day or time and a number");
        assertThat(fault("name.size(1)")).contains("`size` cannot take a text and a number");
        assertThat(fault("rpice * 2")).contains("there is no attribute `rpice`");
        assertThat(fault("upper(name)")).contains("no function `upper`").contains("upperAscii");
        assertThat(fault("due < now()")).contains("know no time");
        assertThat(fault("today() > due")).contains("know no time");
        assertThat(fault("price * (2")).contains("`)` is missing here");
        assertThat(fault("price * * 2")).contains("`*` is not expected here");
        for (var formula : List.of(
                "name ==",
                "a.b.c",
                "ok ? 1 : name",
                "[1, 2",
                "-name",
                "1 = 2",
                "#",
                "name.foo",
                "price.exists(x, x)")) {
            assertThat(fault(formula))
                    .as(formula)
                    .doesNotContain("java", "overload", "wrapper", "google", "_", "expecting", "EOF");
        }
    }

    @Test
    void valuesOfOtherKindsGiveAnAnswerOrAReason() {
        test.schema(shop, "item", "price numeric", "name text", "due date", "at datetime", "more jsonb");
        var of = Map.of(
                "equal",
                "name == 1",
                "less",
                "name < price",
                "days",
                "due < at",
                "deep",
                "more.a.b == 1",
                "zero",
                "1 / int(price)");
        of.forEach((name, formula) -> computations.add(
                shop,
                "item",
                name,
                ComputedDefinition.ofFormula(formula),
                name.equals("zero") ? ValueType.NUMERIC : ValueType.BOOL));
        var id = test.one(
                shop,
                "item",
                "{'price': 0, 'name': 'x', 'due': '2026-01-31', 'at': '2026-01-31T01:00:00Z', 'more': {}}");
        assertThat(test.get(shop, "item", id).values().toString())
                .contains("\"equal\":false")
                .contains("\"days\":true");
        var reasons = test.get(shop, "item", id).reasons();
        assertThat(reason(reasons, "less")).contains("`<` cannot take values of these kinds");
        assertThat(reason(reasons, "deep")).contains("no field `a`");
        assertThat(reason(reasons, "zero")).contains("division by zero");
        var none = test.one(shop, "item", "{'name': 'x'}");
        assertThat(reason(test.get(shop, "item", none).reasons(), "less")).isEqualTo("there is no value of price");
    }

    @Test
    void wholeNumbersAreWrittenAsTheyAre() {
        test.schema(shop, "item", "n numeric", "name text", "ok bool", "tags multi_select enum=[\"red\"]");
        var expected = Map.ofEntries(
                Map.entry("n == 3", "true"),
                Map.entry("3 != n", "false"),
                Map.entry("n > 5 ? n : 0", "0"),
                Map.entry("n % 2 == 1", "true"),
                Map.entry("math.round(n) == 2 + 1", "true"),
                Map.entry("n in [1, 3]", "true"),
                Map.entry("math.greatest(n, 7)", "7"),
                Map.entry("math.least(n, 7, 9)", "3"),
                Map.entry("(ok ? 1 : -3) == n || n == -1", "false"),
                Map.entry("name.substring(0, 1) == 'x' && n == 3", "true"),
                Map.entry("tags.map(t, n == 3 ? 1 : n)", "[1.0]"));
        var names = new HashMap<String, String>();
        expected.keySet().forEach(formula -> {
            names.put(formula, "f" + names.size());
            var name = Objects.requireNonNull(names.get(formula));
            computations.add(shop, "item", name, ComputedDefinition.ofFormula(formula), null);
        });
        var id = test.one(shop, "item", "{'n': 3, 'name': 'xy', 'ok': true, 'tags': ['red']}");
        var values = test.get(shop, "item", id).values();
        expected.forEach((formula, value) -> assertThat(String.valueOf(values.get(names.get(formula))))
                .as(formula)
                .isEqualTo(value));
        // What is no number that is written here.
        assertThat(fault("size(name) == n")).contains("`==` cannot take a whole number and a number", "double(…)");
        assertThat(fault("name.substring(n)")).contains("`substring` cannot take a text and a number", "int(…)");
        assertThat(fault("name == 1 || n == 1")).contains("`==` cannot take a text and a number");
    }

    @Test
    void daysOfDaysAreDays() {
        test.schema(shop, "item", "due date", "begin date", "at datetime", "n numeric");
        var types = Map.of(
                "due", ValueType.DATE,
                "due + duration('48h')", ValueType.DATE,
                "begin + (due - begin)", ValueType.DATE,
                "due > begin ? due : timestamp('2026-01-01T00:00:00Z')", ValueType.DATE,
                "due + duration('36h')", ValueType.DATETIME,
                "due + duration(string(n) + 'h')", ValueType.DATETIME,
                "at", ValueType.DATETIME,
                "due > at ? due : at", ValueType.DATETIME);
        types.forEach((formula, type) -> assertThat(computations
                        .preview(shop, "item", null, ComputedDefinition.ofFormula(formula), null)
                        .type())
                .as(formula)
                .isEqualTo(type));
        computations.add(shop, "item", "later", ComputedDefinition.ofFormula("due + duration('48h')"), null);
        var id = test.one(shop, "item", "{'due': '2026-01-31'}");
        assertThat(String.valueOf(test.get(shop, "item", id).values().get("later")))
                .isEqualTo("\"2026-02-02\"");
    }

    @Test
    void listsAreReadAsLists() {
        var tags = "tags multi_select enum=[\"red\",\"green\"]";
        test.schema(shop, "job", "name text", tags);
        var of = Map.of(
                "joined", "tags.join(', ')",
                "count", "size(tags)",
                "long", "tags.map(t, t + '!').join(' ')",
                "has", "'red' in tags",
                "short", "tags.filter(t, size(t) < 4)");
        of.forEach((name, formula) -> computations.add(shop, "job", name, ComputedDefinition.ofFormula(formula), null));
        var id = test.one(shop, "job", "{'name': 'x', 'tags': ['red', 'green']}");
        assertThat(test.get(shop, "job", id).values().toString())
                .contains("\"joined\":\"red, green\"", "\"count\":2", "\"long\":\"red! green!\"")
                .contains("\"has\":true", "\"short\":[\"red\"]");
        var none = test.one(shop, "job", "{'name': 'x'}");
        assertThat(reason(test.get(shop, "job", none).reasons(), "count")).isEqualTo("there is no value of tags");
    }

    private static String reason(Map<String, Text> reasons, String attribute) {
        return Objects.requireNonNull(reasons.get(attribute)).in(Language.ENGLISH);
    }

    private String fault(String formula) {
        var refused = catchThrowableOfType(
                RecordsProblem.class,
                () -> computations.add(shop, "item", "x", ComputedDefinition.ofFormula(formula), null));
        return refused.fields().getFirst().message().in(Language.ENGLISH);
    }
}
