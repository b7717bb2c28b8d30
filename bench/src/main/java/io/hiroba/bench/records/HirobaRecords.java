package io.hiroba.bench.records;

import io.hiroba.platform.http.Json;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaDefinition;
import io.hiroba.records.query.Condition;
import io.hiroba.records.query.Operator;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.records.query.RecordSort;
import io.hiroba.records.transfer.FileFormat;
import io.hiroba.records.transfer.ImportOptions;
import io.hiroba.records.transfer.ImportState;
import io.hiroba.records.transfer.Imports;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The records feature at its facade, with access checks, query compilation, validation and events. */
final class HirobaRecords implements StorageDesign {

    private static final String SCHEMA = "item";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> TYPES =
            List.of("text", "text", "text", "text", "numeric", "numeric", "numeric", "datetime", "bool", "jsonb");
    private static final RecordSort BY_PRICE = new RecordSort("price", false, false);

    private final RecordsFixture store;
    private @Nullable ProjectAccess access;

    HirobaRecords(RecordsFixture store) {
        this.store = store;
    }

    @Override
    public String name() {
        return "records";
    }

    private ProjectAccess access() {
        if (access == null) {
            throw new IllegalStateException("there is no project yet");
        }
        return access;
    }

    @Override
    public void create() {
        store.createOwner();
        var project = store.db.inTransaction(tx -> store.projects.create(tx, store.owner, "bench"));
        access = store.projects.access(store.owner, project.id());
        var definition = JSON.objectNode().put("name", SCHEMA);
        var attributes = definition.putArray("attributes");
        for (int i = 0; i < TYPES.size(); i++) {
            attributes.addObject().put("name", RecordsData.COLUMNS.get(i)).put("type", TYPES.get(i));
        }
        store.schemas.define(access(), Json.mapper().treeToValue(definition, SchemaDefinition.class));
    }

    @Override
    public void fill(long from, long to) {
        RecordsData.run(store.db, """
                INSERT INTO %s (row_id, created_by, updated_by, schema_id, doc)
                SELECT id, 1, 1, 100, jsonb_build_array(title, sku, status, city, price, quantity, rating,
                    CAST(extract(epoch FROM sold_at) * 1000000 AS bigint), active, extra)
                FROM bench.native WHERE n BETWEEN %d AND %d
                """.formatted(access().tables().records(), from, to));
    }

    @Override
    public void filled() {
        store.statistics.refresh(access().tables(), store.catalog.cached(access().tables(), SCHEMA));
    }

    @Override
    public List<UUID> page(RecordWorkload work, QueryValues values) {
        var range = test("price", Operator.BETWEEN, JSON.numberNode(values.low()), JSON.numberNode(values.high()));
        var status = test("status", Operator.EQ, JSON.stringNode(QueryValues.STATUS));
        var city = test("city", Operator.EQ, JSON.stringNode(values.city()));
        var quantity = test("quantity", Operator.EQ, JSON.numberNode(values.quantity()));
        return ids(
                switch (work) {
                    case RANGE -> all().where(range).sortedBy(BY_PRICE);
                    case EXACT -> all().where(quantity);
                    case UNIQUE -> all().where(test("sku", Operator.EQ, JSON.stringNode(values.sku())));
                    case PREFIX ->
                        all().where(test("title", Operator.STARTS_WITH, JSON.stringNode(values.prefix())))
                                .sortedBy(new RecordSort("title", false, false));
                    case SORTED -> all().sortedBy(new RecordSort("price", true, false));
                    case TWO ->
                        all().where(new Condition.And(List.of(range, status))).sortedBy(BY_PRICE);
                    case THREE ->
                        all().where(new Condition.And(List.of(range, status, city)))
                                .sortedBy(BY_PRICE);
                    case OR -> all().where(new Condition.Or(List.of(city, quantity)));
                    case NOT ->
                        all().where(new Condition.And(List.of(range, new Condition.Not(status))))
                                .sortedBy(BY_PRICE);
                });
    }

    private static RecordQuery all() {
        return RecordQuery.all(SCHEMA);
    }

    private static Condition test(String attribute, Operator operator, JsonNode... values) {
        return new Condition.Test(attribute, operator, List.of(values), false);
    }

    private List<UUID> ids(RecordQuery query) {
        return store.queries.page(store.owner, access().project().id(), query).rows().stream()
                .map(row -> row.id().value())
                .toList();
    }

    @Override
    public void fetch(UUID id) {
        store.records.get(access(), SCHEMA, new RowId(id));
    }

    @Override
    public void insert(List<SampleRecord> items) {
        if (items.size() == 1) {
            store.records.create(access(), SCHEMA, values(items.getFirst()));
        } else {
            store.records.create(
                    access(), SCHEMA, items.stream().map(HirobaRecords::values).toList(), true);
        }
    }

    static JsonNode values(SampleRecord item) {
        ObjectNode values = JSON.objectNode();
        values.put("title", item.title())
                .put("sku", item.sku())
                .put("status", item.status())
                .put("city", item.city());
        values.set("price", Json.mapper().readTree(item.price()));
        values.put("quantity", item.quantity());
        values.set("rating", Json.mapper().readTree(item.rating()));
        values.put("sold_at", item.texts().get(7)).put("active", item.active());
        values.set("extra", Json.mapper().readTree(item.extra()));
        return values;
    }

    @Override
    public void load(List<SampleRecord> items) {
        var csv = Stream.concat(
                        Stream.of(String.join(",", RecordsData.COLUMNS)),
                        items.stream()
                                .map(item -> item.texts().stream()
                                        .map(PlainJdbc::cell)
                                        .collect(Collectors.joining(","))))
                .collect(Collectors.joining("\n"));
        var project = access().project().id();
        var options = new ImportOptions(FileFormat.CSV, ",", "UTC", false, false, null);
        var created = store.db.inTransaction(tx ->
                store.imports.create(tx, store.owner, project, new Imports.NewImport(SCHEMA, options, "bench", null)));
        store.imports.replace(
                store.owner, project, created.id(), new ByteArrayInputStream(csv.getBytes(StandardCharsets.UTF_8)));
        store.imports.start(store.owner, project, created.id());
        await(() ->
                store.imports.get(store.owner, project, created.id()).state().isOver());
        if (store.imports.get(store.owner, project, created.id()).state() != ImportState.DONE) {
            throw new IllegalStateException("the import failed");
        }
    }

    /** Creates the indexes that the advisor would suggest, and waits until queries use them. */
    void tune() {
        store.indexes.create(access(), SCHEMA, List.of("price"));
        store.indexes.create(access(), SCHEMA, List.of("quantity"));
        store.indexes.create(access(), SCHEMA, List.of("status", "price"));
        var schema = store.catalog.cached(access().tables(), SCHEMA);
        await(() -> store.hotIndexes.of(access().tables(), schema).size() == 3);
        RecordsData.run(store.db, "VACUUM ANALYZE " + access().tables().records());
    }

    private static void await(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    @Override
    public long bytes() {
        return RecordsData.bytes(store.db, "records", access().tables().suffix() + "$");
    }
}
