package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.TestRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a schema promises holds when two write at once. */
class RecordConcurrencyTest {

    private static final int ROUNDS = 15;

    private static TestRecords test;
    private static ProjectAccess shop;
    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        test = new TestRecords();
        shop = test.project();
        threads = Executors.newFixedThreadPool(4);
        test.schema(shop, "product", "sku text unique", "number numeric unique", "parent text references=\"product\"");
    }

    @AfterAll
    static void stop() {
        threads.close();
        test.close();
    }

    @Test
    void ofTwoThatWriteOneUniqueValueOneIsRefused() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            var values = "{'sku': 'u%d', 'number': %d.0}".formatted(i, i);
            var outcomes = together(() -> made(values), () -> made(values));
            assertThat(outcomes).containsExactlyInAnyOrder("made", "records.not-unique");
        }
    }

    @Test
    void whoeverRefersToARecordThatIsDeletedMeanwhileIsRefusedOrTheDeletionIs() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            var target = test.one(shop, "product", "{}");
            var outcomes = together(
                    () -> made("{'parent': '%s'}".formatted(target)),
                    () -> outcome(() -> test.records.delete(shop, "product", target, null)));
            assertThat(String.join(" ", outcomes)).isIn("made records.referenced", "records.no-target made");
        }
    }

    @Test
    void ofTwoThatChangeTheVersionTheyKnowOneIsRefused() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            var id = test.one(shop, "product", "{}");
            var outcomes = together(
                    () -> changed(id, "{'sku': 'a%s'}".formatted(id)),
                    () -> changed(id, "{'sku': 'b%s'}".formatted(id)));
            assertThat(outcomes).containsExactlyInAnyOrder("made", "records.other-version");
        }
    }

    @Test
    void batchesThatLockTheSameRecordsInAnotherOrderBothEnd() throws Exception {
        var ids = new ArrayList<>(test.insert(shop, "product", "{}", "{}", "{}", "{}"));
        for (int i = 0; i < ROUNDS; i++) {
            var up = changes(ids, "x" + i);
            var down = changes(ids.reversed(), "y" + i);
            assertThat(together(
                            () -> outcome(() -> test.records.change(shop, "product", up, true)),
                            () -> outcome(() -> test.records.change(shop, "product", down, true))))
                    .containsExactly("made", "made");
        }
    }

    @Test
    void aSchemaIsNotChangedUnderARecordThatIsBeingWritten() throws Exception {
        test.schema(shop, "note", "a text max=1");
        var outcomes = together(
                () -> outcome(() -> {
                    for (int i = 0; i < 50; i++) {
                        test.one(shop, "note", "{'a': 'x'}");
                    }
                }),
                () -> outcome(() -> {
                    for (int i = 2; i < 12; i++) {
                        test.schemas.evolve(shop, "note", definition("note", "a text max=" + i, "b text unique"));
                    }
                }));
        assertThat(outcomes).containsExactly("made", "made");
        assertThat(test.schemas.get(shop, "note").version()).isEqualTo(11);
        test.one(shop, "note", "{'a': 'xxxxxxxxxxx', 'b': 'b'}");
    }

    @Test
    void aRenameLosesNoWriteAndOfTwoRenamesToOneNameOneIsRefused() throws Exception {
        test.schema(shop, "memo", "a text", "b text");
        var outcomes = together(
                () -> outcome(() -> {
                    for (int i = 0; i < 60; i++) {
                        test.one(shop, "memo", "{'a': 'x'}");
                    }
                }),
                () -> outcome(() -> {
                    for (int i = 0; i < 10; i++) {
                        rename("memo", "a", "甲" + i);
                        rename("memo", "甲" + i, "a");
                        test.changes.change(shop, "memo", new AttributeChange("覚書" + i, null, false));
                    }
                }));
        assertThat(outcomes).containsExactly("made", "made");
        assertThat(test.count(shop, """
                        SELECT count(*) FROM records."eav_@" AS e
                        JOIN records."attributes_@" AS a USING (schema_id, attr_id) WHERE a.attr_name = 'a' AND value_text = 'x'
                          AND schema_id = (SELECT schema_id FROM records."schema_registry_@" WHERE schema_name = '覚書9')
                        """)).isEqualTo(60);
        for (int i = 0; i < ROUNDS; i++) {
            var name = "c" + i;
            var a = i == 0 ? "a" : "a" + (i - 1);
            var b = i == 0 ? "b" : "b" + (i - 1);
            assertThat(together(
                            () -> outcome(() -> rename("覚書9", a, name)), () -> outcome(() -> rename("覚書9", b, name))))
                    .containsExactlyInAnyOrder("made", "records.attribute-taken");
            rename("覚書9", test.schemas.get(shop, "覚書9").attributes().get(0).name(), "a" + i);
            rename("覚書9", test.schemas.get(shop, "覚書9").attributes().get(1).name(), "b" + i);
        }
    }

    @Test
    void noRecordSlipsInWhileAnAttributeBecomesUniqueOrRequired() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            var schema = "tight" + i;
            test.schema(shop, schema, "a text", "b text");
            test.one(shop, schema, "{'a': 'x', 'b': 'x'}");
            var twin = together(
                    () -> outcome(() -> test.one(shop, schema, "{'a': 'x', 'b': 'y'}")),
                    () -> outcome(() ->
                            test.changes.change(shop, schema, "a", AttributeChange.ofConstraints(null, true, null))));
            assertThat(String.join(" ", twin)).isIn("made records.cannot-evolve", "records.not-unique made");
            var lacking = together(
                    () -> outcome(() -> test.one(shop, schema, "{'a': 'z'}")),
                    () -> outcome(() ->
                            test.changes.change(shop, schema, "b", AttributeChange.ofConstraints(true, null, null))));
            assertThat(String.join(" ", lacking)).isIn("made records.cannot-evolve", "records.invalid made");
        }
    }

    @Test
    void numbersAreGivenOnceAndNoneIsLeftOut() throws Exception {
        test.schema(shop, "numbered", "no numeric format=\"autonumber\"", "name text max=3");
        for (int i = 0; i < ROUNDS; i++) {
            var made = together(
                    () -> outcome(() -> test.insert(shop, "numbered", "{}", "{}")),
                    () -> outcome(() -> test.insert(shop, "numbered", "{}", "{'name': 'long'}")));
            assertThat(made).containsExactly("made", "records.invalid");
            assertThat(together(
                            () -> outcome(() -> test.one(shop, "numbered", "{}")),
                            () -> outcome(() -> test.one(shop, "numbered", "{}"))))
                    .containsOnly("made");
        }
        assertThat(
                        test.count(
                                shop,
                                "SELECT count(DISTINCT doc ->> 0) FROM records.\"records_@\" WHERE schema_id = (SELECT schema_id FROM records.\"schema_registry_@\" WHERE schema_name = 'numbered')"))
                .isEqualTo(4L * ROUNDS);
        assertThat(
                        test.count(
                                shop,
                                "SELECT max(CAST(doc ->> 0 AS bigint)) FROM records.\"records_@\" WHERE schema_id = (SELECT schema_id FROM records.\"schema_registry_@\" WHERE schema_name = 'numbered')"))
                .isEqualTo(4L * ROUNDS);
    }

    private static void rename(String schema, String before, String after) {
        test.changes.change(shop, schema, before, new AttributeChange(after, null, false));
    }

    private static List<Records.Change> changes(List<RowId> ids, String prefix) {
        return ids.stream()
                .map(id -> new Records.Change(id, null, json("{'sku': '%s-%s'}".formatted(prefix, id)), true))
                .toList();
    }

    private static String made(String values) {
        return outcome(() -> test.one(shop, "product", values));
    }

    private static String changed(RowId id, String values) {
        return outcome(() -> test.records.patch(shop, "product", id, json(values), 1));
    }

    private static String outcome(Runnable act) {
        try {
            act.run();
            return "made";
        } catch (RecordsProblem problem) {
            return problem.code();
        }
    }

    private static List<String> together(Callable<String> one, Callable<String> other)
            throws InterruptedException, ExecutionException {
        var barrier = new CyclicBarrier(2);
        var outcomes = new ArrayList<String>();
        var running = new ArrayList<Future<String>>();
        for (var call : List.of(one, other)) {
            running.add(threads.submit(() -> {
                barrier.await();
                return call.call();
            }));
        }
        for (var future : running) {
            outcomes.add(future.get());
        }
        return outcomes;
    }
}
