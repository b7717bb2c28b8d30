package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.TestRecords;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A schema is deleted with its records, is there again as it was, or is erased. */
class RemovedSchemasTest {

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
    void aDeletedSchemaIsNotThereAndComesBackWithItsRecordsHistoryAndRules() {
        var product = test.schema(
                shop, "product", "name text", "sku text unique", "note text", "parent text references=\"product\"");
        test.changes.change(shop, "product", new AttributeChange("products", "Goods", false));
        var id = test.one(shop, "products", "{'name': 'tea', 'sku': 's'}");
        test.one(shop, "products", "{'name': 'cup', 'parent': '%s'}".formatted(id));
        test.records.patch(shop, "products", id, json("{'name': 'green tea'}"), null);
        test.removed.remove(shop, "products", "note");
        test.schemas.setRules(shop, "products", ProjectRole.VIEWER, AccessRules.NONE.hiding(Set.of("sku")));
        var elsewhere = new SchemaCatalog(test.db);
        assertThat(elsewhere.cached(shop.tables(), product.id()).name()).isEqualTo("products");
        new KnowledgeTexts(test.db, test.accounts.lease.ids(), test.accounts.clock)
                .choose(shop, "products", List.of("name"));
        assertThat(inKnowledge()).isOne();
        var preview = test.removedSchemas.preview(shop, "products");
        assertThat(preview.records()).isEqualTo(2);
        assertThat(preview.refusal()).isNull();

        test.removedSchemas.remove(shop, "products");
        for (var name : List.of("product", "products", String.valueOf(product.id()))) {
            refused("records.no-schema", () -> test.schemas.get(shop, name));
            refused("records.no-schema", () -> test.one(shop, name, "{}"));
            refused("records.no-schema", () -> test.get(shop, name, id));
            refused("records.no-schema", () -> test.removedSchemas.remove(shop, name));
            refused("records.no-schema", () -> test.changes.change(shop, name, new AttributeChange("x", null, false)));
        }
        assertThat(test.schemas.list(shop)).isEmpty();
        assertThat(inKnowledge()).isZero();
        // A node that has it cached, by its name or by its id, finds out before it writes.
        refused(
                "records.no-schema",
                () -> test.db.inTransaction(tx -> elsewhere.current(tx, shop.tables(), product.id())));
        refused(
                "records.no-schema",
                () -> test.db.inTransaction(tx -> elsewhere.current(tx, shop.tables(), "products")));

        var restored = test.removedSchemas.restore(shop, "products", null);
        assertThat(restored.id()).isEqualTo(product.id());
        assertThat(inKnowledge()).isOne();
        assertThat(restored.label()).isEqualTo("Goods");
        assertThat(restored.rules().binding(ProjectRole.VIEWER).hidden()).containsExactly("sku");
        assertThat(test.get(shop, "product", id).values().toString()).contains("green tea");
        assertThat(test.history.page(shop, "products", id, 9, 9)).hasSize(2);
        refused("records.not-unique", () -> test.one(shop, "products", "{'sku': 's'}"));
        refused("records.referenced", () -> test.records.delete(shop, "products", id, null));
        test.removed.restore(shop, "products", "note");
        assertThat(test.removedSchemas.list(shop)).isEmpty();
    }

    /** The number of schemas whose texts the owner finds in knowledge. */
    private int inKnowledge() {
        return test.count(
                shop,
                "SELECT coalesce(cardinality(records.readable_texts(%d)), 0)"
                        .formatted(shop.user().value()));
    }

    @Test
    void itsNameIsFreeAtOnceAndItComesBackUnderAnotherOne() {
        var first = test.schema(shop, "product", "name text");
        test.changes.change(shop, "product", new AttributeChange("tea", null, false));
        var id = test.one(shop, "tea", "{'name': 'sencha'}");
        test.removedSchemas.remove(shop, "tea");
        var second = test.schema(shop, "tea", "other numeric");
        test.schema(shop, "product", "third text");
        assertThat(second.id()).isNotEqualTo(first.id());
        test.one(shop, "tea", "{'other': 1}");
        refused("records.name-taken", () -> test.removedSchemas.restore(shop, "tea", null));
        refused("records.name-taken", () -> test.removedSchemas.restore(shop, "tea", "product"));
        refused("records.invalid", () -> test.removedSchemas.restore(shop, "tea", " "));
        assertThat(test.removedSchemas
                        .restore(shop, String.valueOf(first.id()), "old tea")
                        .former())
                .isEmpty();
        assertThat(test.get(shop, "old tea", id).values().toString()).contains("sencha");
        assertThat(test.schemas.get(shop, "product").id()).isNotEqualTo(first.id());
    }

    @Test
    void whatOthersHaveOfItIsRemovedFirstAndComesBackAfterIt() {
        test.schema(shop, "person", "name text");
        test.schema(shop, "order", "title text", "person text references=\"person\"");
        var kim = test.one(shop, "person", "{'name': 'Kim'}");
        var order = test.one(shop, "order", "{'title': 'a', 'person': '%s'}".formatted(kim));
        assertThat(test.removedSchemas.preview(shop, "person").refusal()).isNotNull();
        assertThat(refused("records.schema-in-use", () -> test.removedSchemas.remove(shop, "person")))
                .contains("`order.person`");
        test.removed.remove(shop, "order", "person");
        test.removedSchemas.remove(shop, "person");
        refused("records.needs-removed", () -> test.removed.restore(shop, "order", "person"));
        // Writers of the rest have nothing to do with it.
        test.records.patch(shop, "order", order, json("{'title': 'b'}"), null);
        test.removedSchemas.restore(shop, "person", null);
        test.removed.restore(shop, "order", "person");
        assertThat(test.get(shop, "order", order).values().toString()).contains(kim.toString());

        test.removedSchemas.remove(shop, "order");
        refused("records.referenced", () -> test.records.delete(shop, "person", kim, null));
        test.removedSchemas.remove(shop, "person");
        refused("records.needs-removed", () -> test.removedSchemas.restore(shop, "order", null));
        refused("records.schema-in-use", () -> test.removedSchemas.erase(shop, "person"));
        test.removedSchemas.erase(shop, "order");
        refused("records.no-schema", () -> test.removedSchemas.restore(shop, "order", null));
        test.removedSchemas.eraseAll(test.projects);
        test.removedSchemas.restore(shop, "person", null);
        test.records.delete(shop, "person", kim, null);
    }

    @Test
    void whatItComputesFromOthersRestsAndIsComputedAnew() {
        var computations = new Computations(test.db, test.catalog);
        test.schema(shop, "person", "name text");
        test.schema(shop, "order", "person text references=\"person\"");
        var kim = test.one(shop, "person", "{'name': 'Kim'}");
        var order = test.one(shop, "order", "{'person': '%s'}".formatted(kim));
        var definition = json("{'lookup': {'relation': 'person', 'attribute': 'name'}}");
        computations.add(shop, "order", "who", Json.mapper().treeToValue(definition, ComputedDefinition.class), null);
        assertThat(refused("records.schema-in-use", () -> test.removedSchemas.remove(shop, "person")))
                .contains("order.person");
        test.removedSchemas.remove(shop, "order");
        test.records.patch(shop, "person", kim, json("{'name': 'Kimiko'}"), null);
        new ComputationWorker(test.db, test.projects, test.catalog).runAll();
        assertThat(refused("records.attribute-needed", () -> test.removed.remove(shop, "person", "name")))
                .contains("order.who");
        test.removedSchemas.restore(shop, "order", null);
        assertThat(test.get(shop, "order", order).values().toString()).contains("Kimiko");
        test.records.patch(shop, "person", kim, json("{'name': 'Kim'}"), null);
        assertThat(test.get(shop, "order", order).values().toString()).contains("\"Kim\"");
    }

    @Test
    void aRecordWrittenWhileItIsDeletedIsThereAfterTheRestoreOrRefused() throws InterruptedException {
        test.schema(shop, "product", "name text");
        var written = new ConcurrentLinkedQueue<RowId>();
        var refused = new ConcurrentLinkedQueue<String>();
        var begun = new CountDownLatch(20);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 4)
                    .forEach(thread -> threads.submit(() -> {
                        for (int i = 0; i < 50; i++) {
                            try {
                                written.add(test.one(shop, "product", "{'name': '%d %d'}".formatted(thread, i)));
                            } catch (RecordsProblem problem) {
                                refused.add(problem.code());
                            }
                            begun.countDown();
                        }
                    }));
            begun.await();
            test.removedSchemas.remove(shop, "product");
        }
        assertThat(refused).isNotEmpty().allMatch("records.no-schema"::equals);
        test.removedSchemas.restore(shop, "product", null);
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"records_@\""))
                .isEqualTo(written.size());
        written.forEach(id -> assertThat(test.get(shop, "product", id)).isNotNull());
    }

    @Test
    void after30DaysItIsErasedAndTheRestStays() {
        test.schema(
                shop,
                "product",
                "name text",
                "sku numeric unique",
                "tags multi_select enum=[\"x\"]",
                "parent text references=\"product\"");
        test.schema(shop, "other", "name text");
        var kept = test.one(shop, "other", "{'name': 'stays'}");
        var first = test.one(shop, "product", "{'name': 'a', 'sku': 1, 'tags': ['x']}");
        for (int i = 2; i < 30; i++) {
            test.one(shop, "product", "{'name': 'b', 'sku': %d, 'parent': '%s'}".formatted(i, first));
        }
        test.records.patch(shop, "product", first, json("{'name': 'c'}"), null);
        test.removedSchemas.remove(shop, "product");
        test.accounts.clock.advance(Duration.ofDays(29));
        test.removedSchemas.eraseAll(test.projects);
        assertThat(test.removedSchemas.list(shop)).hasSize(1);
        assertThat(rows("records")).isEqualTo(30);
        test.accounts.clock.advance(Duration.ofDays(2));
        refused("records.no-schema", () -> test.removedSchemas.restore(shop, "product", null));
        test.removedSchemas.eraseAll(test.projects);
        assertThat(rows("records")).isOne();
        assertThat(rows("eav")).isOne();
        for (var table : List.of("unique_values", "links", "choices", "history")) {
            assertThat(rows(table)).as(table).isZero();
        }
        assertThat(test.count(shop, "SELECT count(*) FROM records.removed_schemas"))
                .isZero();
        assertThat(test.get(shop, "other", kept).values().toString()).contains("stays");
        assertThat(test.schema(shop, "product", "name text").id()).isEqualTo((short) 102);
    }

    @Test
    void whatCannotBeErasedHoldsUpNoOther() {
        var stuck = test.schema(shop, "stuck", "name text");
        test.schema(shop, "next", "name text");
        test.one(shop, "stuck", "{'name': 'a'}");
        test.one(shop, "next", "{'name': 'b'}");
        execute(
                "CREATE FUNCTION public.keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''kept''; END'");
        execute(
                "CREATE TRIGGER kept BEFORE DELETE ON %s FOR EACH ROW WHEN (OLD.schema_id = %d) EXECUTE FUNCTION public.keep()"
                        .formatted(shop.tables().records(), stuck.id()));
        for (var name : List.of("stuck", "next")) {
            test.removedSchemas.remove(shop, name);
            test.accounts.clock.advance(Duration.ofMinutes(1));
        }
        test.accounts.clock.advance(Duration.ofDays(31));
        test.removedSchemas.eraseAll(test.projects);
        assertThat(rows("records")).isOne();
        refused("records.no-schema", () -> test.removedSchemas.restore(shop, "stuck", null));
        execute("DROP TRIGGER kept ON " + shop.tables().records());
        // Not before its time has come.
        test.removedSchemas.eraseAll(test.projects);
        assertThat(rows("records")).isOne();
        test.accounts.clock.advance(Duration.ofSeconds(4));
        test.removedSchemas.eraseAll(test.projects);
        assertThat(rows("records")).isZero();
        assertThat(test.count(shop, "SELECT count(*) FROM records.removed_schemas"))
                .isZero();
    }

    private static void execute(String sql) {
        test.db.useTransaction(tx -> tx.update(sql).execute());
    }

    private int rows(String table) {
        return test.count(shop, "SELECT count(*) FROM records.\"%s_@\"".formatted(table));
    }

    @Test
    void itIsForOwners() {
        test.schema(shop, "product", "name text");
        var editor = test.member(shop, ProjectRole.EDITOR);
        refused("records.owners-only", () -> test.removedSchemas.preview(editor, "product"));
        refused("records.owners-only", () -> test.removedSchemas.remove(editor, "product"));
        test.removedSchemas.remove(shop, "product");
        refused("records.owners-only", () -> test.removedSchemas.list(editor));
        refused("records.owners-only", () -> test.removedSchemas.restore(editor, "product", null));
        refused("records.owners-only", () -> test.removedSchemas.erase(editor, "product"));
    }

    private static String refused(String code, ThrowingCallable call) {
        var problem = catchThrowableOfType(RecordsProblem.class, call);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).isEqualTo(code);
        return problem.getMessage();
    }
}
