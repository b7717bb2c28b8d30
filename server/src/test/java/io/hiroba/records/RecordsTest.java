package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.TestRecords;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordsTest {

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
        test.schema(
                shop,
                "product",
                "name text required max=20",
                "price numeric min=0",
                "sold datetime",
                "active bool default=true",
                "details jsonb",
                "sku text unique",
                "parent text references=\"product\"");
    }

    @Test
    void whatIsWrittenIsReadBackExactly() {
        var id = test.one(
                shop,
                "product",
                "{'name': 'tea', 'price': 0.10, 'sold': '2026-01-31T12:00:00.123456+09:00', 'details': {'a': [1, 2.50]}}");
        var view = test.get(shop, "product", id);
        assertThat(view.version()).isEqualTo(1);
        assertThat(view.createdBy()).isEqualTo(shop.user().hex());
        assertThat(view.values())
                .hasToString(
                        json("{'name':'tea','price':0.10,'sold':'2026-01-31T03:00:00.123456Z','active':true,'details':{'a':[1,2.50]}}")
                                .toString());
    }

    @Test
    void everyFieldThatIsWrongIsTold() {
        refused(() -> test.one(shop, "product", "{'price': -1, 'sold': 'yesterday', 'active': 'yes', 'nonsense': 1}"))
                .satisfies(problem -> assertThat(((RecordsProblem) problem).fields())
                        .extracting(field -> field.field())
                        .containsExactlyInAnyOrder("[0].nonsense", "[0].name", "[0].price", "[0].sold", "[0].active"));
    }

    @Test
    void replacingTakesAwayWhatIsNotGivenAndPatchingDoesNot() {
        var id = test.one(shop, "product", "{'name': 'tea', 'price': 3, 'active': false, 'sku': 'a'}");
        var patched = test.records.patch(shop, "product", id, json("{'price': null, 'name': 'green tea'}"), 1);
        assertThat(patched.values()).isEqualTo(json("{'name': 'green tea', 'active': false, 'sku': 'a'}"));
        var replaced = test.records.replace(shop, "product", id, json("{'name': 'black tea', 'price': 5}"), 2);
        assertThat(replaced.version()).isEqualTo(3);
        assertThat(test.get(shop, "product", id)).hasToString(replaced.toString());
        assertThat(replaced.values().toString()).isEqualTo("{\"name\":\"black tea\",\"price\":5,\"active\":true}");
    }

    @Test
    void whatChangesNothingIsNoChange() {
        var id = test.one(shop, "product", "{'name': 'tea'}");
        assertThat(test.records
                        .patch(shop, "product", id, json("{'name': 'tea'}"), null)
                        .version())
                .isEqualTo(1);
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"history_@\""))
                .isZero();
    }

    @Test
    void theSameValueOtherwiseWrittenIsNoChange() {
        var id = test.one(shop, "product", "{'name': 'tea', 'price': 1e2, 'details': {'bb': 1, 'a': [2.0, 1e3]}}");
        int events = test.count(shop, "SELECT count(*) FROM platform.event_logs");
        for (var same : List.of(
                "{'price': 100}",
                "{'price': 1.0e2}",
                "{'details': {'bb': 1, 'a': [2.0, 1000]}}",
                "{'details': {'a': [2, 1e3], 'bb': 1.0}, 'sku': null}")) {
            assertThat(test.records.patch(shop, "product", id, json(same), null).version())
                    .as(same)
                    .isEqualTo(1);
        }
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"history_@\""))
                .isZero();
        assertThat(test.count(shop, "SELECT count(*) FROM platform.event_logs")).isEqualTo(events);
        assertThat(test.records
                        .patch(shop, "product", id, json("{'details': {'a': [1e3, 2], 'bb': 1}}"), null)
                        .version())
                .isEqualTo(2);
    }

    @Test
    void numbersAreAnsweredPlainly() {
        var made = test.records.create(shop, "product", json("{'name': 'tea', 'price': 1e2, 'details': [1E+3]}"));
        assertThat(made.values()).hasToString("{\"name\":\"tea\",\"price\":100,\"active\":true,\"details\":[1000]}");
        refused(() -> test.one(shop, "product", "{'name': 'tea', 'price': 1e200}"));
        refused(() -> test.one(shop, "product", "{'name': 'tea', 'price': 1e-101}"));
        refused(() -> test.one(shop, "product", "{'name': 'tea', 'details': {'a': [1e2147483647]}}"));
        test.one(shop, "product", "{'name': 'tea', 'price': 1e199}");
        test.one(shop, "product", "{'name': 'tea', 'price': 1e-100}");
    }

    @Test
    void anotherVersionThanExpectedIsRefused() {
        var id = test.one(shop, "product", "{'name': 'tea'}");
        test.records.patch(shop, "product", id, json("{'price': 1}"), 1);
        refused(() -> test.records.patch(shop, "product", id, json("{'price': 2}"), 1))
                .hasMessageContaining("version 2");
        refused(() -> test.records.delete(shop, "product", id, 1)).hasMessageContaining("version 2");
        test.records.delete(shop, "product", id, 2);
        refused(() -> test.get(shop, "product", id)).hasMessageContaining("no such record");
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"eav_@\"")).isZero();
    }

    @Test
    void viewersWriteNothing() {
        var viewer = test.member(shop, ProjectRole.VIEWER);
        refused(() -> test.one(viewer, "product", "{'name': 'tea'}")).hasMessageContaining("editors");
    }

    @Test
    void recordsOfOneRequestMayReferToEachOtherAndThemselves() {
        var ids = test.insert(
                shop, "product", "{'name': 'a', 'parent': '#1'}", "{'name': 'b', 'parent': '#1'}", "{'name': 'c'}");
        assertThat(test.get(shop, "product", ids.get(0)).values().path("parent").asString())
                .isEqualTo(ids.get(1).toString());
        refused(() -> test.records.delete(shop, "product", ids.get(1), null)).hasMessageContaining("refer");
        test.records.delete(
                shop,
                "product",
                List.of(new Records.Deletion(ids.get(0), null), new Records.Deletion(ids.get(1), null)),
                true);
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"records_@\""))
                .isOne();
    }

    @Test
    void aTakenValueAndAMissingTargetAreToldByField() {
        test.one(shop, "product", "{'name': 'tea', 'sku': 'a'}");
        refused(() -> test.one(shop, "product", "{'name': 'tea', 'sku': 'a'}")).satisfies(problem -> {
            assertThat(((RecordsProblem) problem).code()).isEqualTo("records.not-unique");
            assertThat(((RecordsProblem) problem).fields().getFirst().field()).isEqualTo("[0].sku");
        });
        refused(() -> test.one(shop, "product", "{'name': 'tea', 'parent': '0192f0c5-0000-7000-8000-000000000000'}"))
                .satisfies(problem -> {
                    assertThat(((RecordsProblem) problem).code()).isEqualTo("records.no-target");
                    assertThat(((RecordsProblem) problem).fields().getFirst().field())
                            .isEqualTo("[0].parent");
                });
    }

    @Test
    void everyWriteIsToldInItsTransaction() {
        var id = test.one(shop, "product", "{'name': 'tea', 'sku': 'told'}");
        test.records.patch(shop, "product", id, json("{'price': 1}"), null);
        refused(() -> test.one(shop, "product", "{'name': 'tea', 'sku': 'told'}"));
        test.records.delete(shop, "product", id, null);
        var told = test.db.read(reads -> reads.query("""
                        SELECT (payload ->> 'type') || ' ' || (payload ->> 'rowId') || ' ' || (payload ->> 'version')
                        FROM platform.event_logs
                        WHERE payload ->> 'projectId' = :project AND payload ->> 'by' = :by AND payload ->> 'schema' = 'product'
                        ORDER BY event_id
                        """)
                .bind("project", shop.project().id().hex())
                .bind("by", shop.user().hex())
                .mapTo(String.class)
                .list());
        assertThat(told)
                .containsExactly(
                        "record-created %s 1".formatted(id),
                        "record-changed %s 2".formatted(id),
                        "record-deleted %s 3".formatted(id));
    }

    private static AbstractThrowableAssert<?, ?> refused(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(RecordsProblem.class);
    }

    private static void refused(String code, ThrowingCallable call) {
        refused(call).extracting(problem -> ((RecordsProblem) problem).code()).isEqualTo(code);
    }

    @Test
    void numbersAndWhoWroteWhenAreSetByTheServer() {
        var other = test.member(shop, ProjectRole.EDITOR);
        test.schema(shop, "invoice", "name text", "state text enum=[\"a\",\"b\"]");
        var before = test.insert(shop, "invoice", "{'name': 'x', 'state': 'a'}", "{'name': 'y'}");
        test.schemas.evolve(
                shop,
                "invoice",
                definition(
                        "invoice",
                        "name text",
                        "state text enum=[\"a\",\"b\"]",
                        "no numeric unique format=\"autonumber\"",
                        "since datetime format=\"created_at\"",
                        "maker text format=\"created_by\"",
                        "changed datetime format=\"updated_at\"",
                        "changer text format=\"updated_by\""));
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"history_@\""))
                .isZero();
        assertThat(before).extracting(id -> value(id, "no")).containsExactly("1", "2");
        assertWritten(before.getFirst(), shop, shop);
        assertThat(before).allSatisfy(id -> {
            assertThat(value(id, "changed")).isEqualTo(value(id, "since"));
            assertThat(test.get(shop, "invoice", id).updatedAt()).isEqualTo(id.createdAt());
        });

        // No number goes to a record that is refused.
        var values = List.of(json("{'name': 'a'}"), json("{'name': 1}"), json("{'name': 'b'}"));
        assertThat(test.records.create(other, "invoice", values, false)).hasSize(3);
        var third = test.one(shop, "invoice", "{'name': 'c'}");
        assertThat(value(third, "no")).isEqualTo("5");
        for (var wrong : List.of("'no': 7", "'since': null", "'changer': 'x'")) {
            refused(
                    "records.invalid",
                    () -> test.records.patch(shop, "invoice", third, json("{%s}".formatted(wrong)), null));
        }
        test.accounts.clock.advance(Duration.ofMinutes(1));
        test.records.patch(other, "invoice", third, json("{'name': 'd'}"), null);
        assertWritten(third, shop, other);
        assertThat(test.history.page(shop, "invoice", third, 9, 1).getFirst().changes())
                .extracting(HistoryEntry.Delta::attribute)
                .containsExactly("name");
        // A write that changes nothing changes nothing.
        assertThat(test.records
                        .patch(shop, "invoice", third, json("{'name': 'd'}"), null)
                        .version())
                .isEqualTo(2);
        test.options.change(
                shop,
                "invoice",
                "state",
                new OptionChanges.Request(List.of(new SelectOption("b", null, null)), Map.of("a", "b")));
        assertThat(test.get(shop, "invoice", before.getFirst()).version()).isEqualTo(2);
        assertWritten(before.getFirst(), shop, shop);
        test.records.delete(shop, "invoice", third, null);
        test.history.restore(other, "invoice", third, 1, null);
        assertThat(value(third, "no")).isEqualTo("5");
        assertWritten(third, shop, other);
        // Numbers go on while the attribute is removed.
        test.removed.remove(shop, "invoice", "no");
        var sixth = test.one(shop, "invoice", "{}");
        test.removed.restore(shop, "invoice", "no");
        assertThat(value(sixth, "no")).isEqualTo("6");
    }

    @Test
    void whatTheServerSetsIsNeitherRequiredNorMadeOfSomethingElse() {
        test.schema(shop, "invoice", "name text", "no numeric format=\"autonumber\"");
        refused("records.invalid", () -> test.schema(shop, "z", "no numeric required format=\"autonumber\""));
        refused("records.invalid", () -> test.schema(shop, "z", "no numeric default=1 format=\"autonumber\""));
        refused(
                "records.invalid",
                () -> test.changes.change(shop, "invoice", "no", AttributeChange.ofConstraints(true, null, null)));
        refused(
                "records.invalid",
                () -> test.changes.change(shop, "invoice", "name", AttributeChange.ofFormat("created_by", null)));
        refused(
                "records.cannot-evolve",
                () -> test.retypes.change(shop, "invoice", "no", new Retypes.Change(ValueType.TEXT, false)));
        test.changes.change(shop, "invoice", "no", AttributeChange.ofFormat("", null));
        assertThat(test.get(shop, "invoice", test.one(shop, "invoice", "{'no': 70}"))
                        .values()
                        .path("no")
                        .intValue())
                .isEqualTo(70);
    }

    private String value(RowId id, String attribute) {
        return test.get(shop, "invoice", id).values().path(attribute).asString();
    }

    private void assertWritten(RowId id, ProjectAccess creator, ProjectAccess changer) {
        var record = test.get(shop, "invoice", id);
        assertThat(record.createdBy()).isEqualTo(creator.user().hex());
        assertThat(record.updatedBy()).isEqualTo(changer.user().hex());
        assertThat(value(id, "since")).isEqualTo(record.createdAt().toString());
        assertThat(value(id, "maker")).isEqualTo(record.createdBy());
        assertThat(value(id, "changed")).isEqualTo(record.updatedAt().toString());
        assertThat(value(id, "changer")).isEqualTo(record.updatedBy());
    }
}
