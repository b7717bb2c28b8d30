package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents.Subscriber;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.TestRecords;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SchemaCatalogTest {

    private static TestRecords test;
    private ProjectAccess shop;
    private Schema product;

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
        product = test.schema(shop, "product", "name text");
    }

    @Test
    void aTransactionNeedsNoSecondConnection() throws SQLException {
        try (var one = Db.open(test.accounts.database.config().withPoolSize(2));
                var _ = one.dataSource().getConnection()) {
            var tables = shop.tables();
            one.useTransaction(tx -> {
                assertThat(new SchemaCatalog(one).current(tx, tables, "product"))
                        .satisfies(this::isProduct);
                assertThat(new SchemaCatalog(one).current(tx, tables, product.id()))
                        .satisfies(this::isProduct);
                assertThat(new SchemaCatalog(one).cached(tx, tables, "product")).satisfies(this::isProduct);
                assertThat(new SchemaCatalog(one).cached(tx, tables, product.id()))
                        .satisfies(this::isProduct);
            });
        }
    }

    @Test
    void aChangeIsKnownAtOnceWhereItWasMade() {
        known(1);
        test.schemas.evolve(shop, "product", definition("product", "name text", "price numeric"));
        known(2);
        test.schemas.setRules(shop, "product", new AccessRules(true, null, Set.of(), Set.of()));
        known(3);
    }

    @Test
    void eventsAreToldByTheRulesThatAnotherNodeHasSet() {
        var member = test.member(shop, ProjectRole.EDITOR);
        var another = new PublishedRecordEvents(test.projects, new SchemaCatalog(test.db), test.accessResolver);
        var own = event(test.one(member, "product", "{'name': 'mine'}"));
        var others = event(test.one(shop, "product", "{'name': 'yours'}"));
        var subscriber = new Subscriber(member.user().value(), false);
        var events = Map.of(subscriber, List.of(own, others));
        var before = test.db.read(reads -> another.readable(reads, events));
        assertThat(before).isEqualTo(events);
        test.schemas.setRules(shop, "product", new AccessRules(true, null, Set.of(), Set.of()));
        var after = test.db.read(reads -> another.readable(reads, events));
        assertThat(after).isEqualTo(Map.of(subscriber, List.of(own)));
    }

    @Test
    void eventsAreToldByTheSchemaThatTheyAreAboutThoughAnotherHasItsName() {
        var member = test.member(shop, ProjectRole.EDITOR);
        test.one(shop, "product", "{'name': 'secret'}");
        var published = new PublishedRecordEvents(test.projects, new SchemaCatalog(test.db), test.accessResolver);
        var event = test
                .db
                .read(reads -> reads.query("SELECT payload FROM platform.event_logs ORDER BY event_id")
                        .mapTo(String.class)
                        .list())
                .stream()
                .map(payload -> published.publish(new Event(0, 1, Json.mapper().readTree(payload))))
                .flatMap(Optional::stream)
                .reduce((earlier, later) -> later)
                .orElseThrow();
        test.schemas.setRules(shop, "product", new AccessRules(true, null, Set.of(), Set.of()));
        test.changes.change(shop, "product", new AttributeChange("goods", null, false));
        test.schema(shop, "person", "name text");
        test.changes.change(shop, "person", new AttributeChange("product", null, true));
        var subscriber = new Subscriber(member.user().value(), false);
        var readable = test.db.read(reads -> published.readable(reads, Map.of(subscriber, List.of(event))));
        assertThat(readable).isEqualTo(Map.of(subscriber, List.of()));
    }

    private PublishedEvent event(RowId row) {
        var data = Json.mapper().createObjectNode();
        data.put("projectId", shop.project().id().hex()).put("schema", "product");
        return new PublishedEvent(1, "record.created", row.toString(), data);
    }

    private void isProduct(Schema schema) {
        assertThat(schema.id()).isEqualTo(product.id());
        assertThat(schema.attributes()).isEqualTo(product.attributes());
    }

    private void known(int version) {
        assertThat(test.catalog.cached(shop.tables(), "product").version()).isEqualTo(version);
        assertThat(test.catalog.cached(shop.tables(), product.id()).version()).isEqualTo(version);
    }
}
