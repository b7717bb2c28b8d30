package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.records.Retypes.Change;
import io.hiroba.records.Retypes.State;
import io.hiroba.testkit.TestRecords;
import java.time.Clock;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The type of an attribute is changed together with all else of it. */
class RetypesWithMoreTest {

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
    void theHistoryTellsNothingOfATypeThatWasUndone() {
        test.schema(shop, "product", "name text", "size text");
        var id = test.one(shop, "product", "{'name': 'a', 'size': '1'}");
        test.retypes.change(shop, "product", "size", new Change(ValueType.NUMERIC, false, null, null));
        for (var change : List.of("{'size': 7}", "{'size': 8, 'name': 'b'}", "{'size': 9}")) {
            test.records.change(shop, "product", List.of(new Records.Change(id, null, json(change), true)), true);
        }
        test.retypes.undo(shop, "product", "size");
        assertThat(test.history.page(shop, "product", id, Integer.MAX_VALUE, 2))
                .extracting(entry -> entry.operation() + " " + entry.changes().size())
                .containsExactly("CHANGED 1", "CREATED 2");
    }

    @Test
    void aTypeIsChangedTogetherWithAllElseOfTheAttribute() {
        test.schema(shop, "product", "name text", "code text unique required", "size text");
        var id = test.one(shop, "product", "{'code': '1', 'size': '25'}");
        test.one(shop, "product", "{'code': '2', 'size': '7'}");
        var more = new AttributeChange("price", "Price", true, true, null, false, null, null);
        var change = new Change(ValueType.NUMERIC, false, null, more);
        var preview = test.retypes.preview(shop, "product", "size", change);
        assertThat(preview.refused()).isEmpty();
        assertThat(preview.changes()).hasSize(5);
        var after = test.retypes
                .change(shop, "product", "size", change)
                .schema()
                .attribute("price")
                .orElseThrow();
        assertThat(after.type()).isEqualTo(ValueType.NUMERIC);
        assertThat(List.of(after.label(), after.required(), after.unique())).isEqualTo(List.of("Price", true, true));
        refused("records.not-unique", () -> test.one(shop, "product", "{'code': '3', 'price': 7.0}"));
        assertThat(test.get(shop, "product", id).values().toString()).contains("\"price\":25");

        // What is no longer asked stands not in the way of the type, and what is asked now may.
        var free = new AttributeChange(null, null, false, false, null, false, null, null);
        test.retypes.change(shop, "product", "code", new Change(ValueType.JSONB, false, null, free));
        test.one(shop, "product", "{'price': 8}");
        var wanted = new AttributeChange(null, null, true, null, null, false, null, null);
        var strict = new Change(ValueType.TEXT, false, null, wanted);
        assertThat(test.retypes.preview(shop, "product", "code", strict).refused())
                .extracting(FieldError::field)
                .contains("required");
        refused("records.cannot-evolve", () -> test.retypes.change(shop, "product", "code", strict));
        var taken = new AttributeChange("name", null, false);
        refused(
                "records.attribute-taken",
                () -> test.retypes.change(shop, "product", "price", new Change(ValueType.TEXT, false, null, taken)));
        assertThat(test.schemas
                        .get(shop, "product")
                        .attribute("price")
                        .orElseThrow()
                        .type())
                .isEqualTo(ValueType.NUMERIC);
    }

    @Test
    void whatElseIsChangedComesWithTheConvertedValuesOrRefusesThem() {
        test.schema(shop, "product", "name text", "size text");
        for (int i = 0; i < 3; i++) {
            var values = IntStream.range(0, 900).mapToObj(n -> "{'name': 'x', 'size': '%d'}".formatted(n));
            test.insert(shop, "product", values.toArray(String[]::new));
        }
        test.one(shop, "product", "{'name': 'none'}");
        var more = new AttributeChange("inches", "Inches", null, null, json("3"), false, null, null);
        var strict = new AttributeChange(null, null, true, null, null, false, null, null);
        var refused = test.retypes
                .change(shop, "product", "size", new Retypes.Change(ValueType.NUMERIC, true, null, strict))
                .job();
        assertThat(refused.state()).isEqualTo(State.RUNNING);
        worker().runAll();
        assertThat(test.retypes.get(shop, "product", refused.id()).state()).isEqualTo(State.FAILED);
        var done = test.retypes
                .change(shop, "product", "size", new Retypes.Change(ValueType.NUMERIC, true, null, more))
                .job();
        assertThat(test.schemas.get(shop, "product").attribute("inches")).isEmpty();
        worker().runAll();
        assertThat(test.retypes.get(shop, "product", done.id()).state()).isEqualTo(State.DONE);
        var inches = test.schemas.get(shop, "product").attribute("inches").orElseThrow();
        assertThat(List.of(inches.type(), inches.label())).isEqualTo(List.of(ValueType.NUMERIC, "Inches"));
        assertThat(test.get(shop, "product", test.one(shop, "product", "{}"))
                        .values()
                        .toString())
                .contains("\"inches\":3");
    }

    private static RetypeWorker worker() {
        return new RetypeWorker(test.db, Clock.systemUTC(), test.projects, test.catalog, new WakeSignal());
    }

    private static List<FieldError> refused(String code, ThrowingCallable call) {
        var problem = catchThrowableOfType(RecordsProblem.class, call);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).isEqualTo(code);
        return problem.fields();
    }
}
