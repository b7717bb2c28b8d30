package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Tables;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.ValueType;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The indexes that follow use, as a project's owners see and change them. */
public final class Indexes {

    /** Each index of documents slows every write of a record down. */
    static final int MOST_PER_SCHEMA = 8;

    private final Db db;
    private final InstantSource clock;
    private final Catalog catalog;
    private final Proposals proposals;
    private final IndexStore store = new IndexStore();

    public Indexes(Db db, InstantSource clock, Catalog catalog) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.proposals = new Proposals(db, clock, catalog);
    }

    /** What there is and what would help. */
    public record Overview(List<StoredIndex> indexes, List<Proposal> proposals) {}

    public Overview overview(Access access) {
        access.requireOwner();
        var indexes = db.read(reads -> store.of(reads, access.project().id()));
        return new Overview(indexes, proposals.of(access.tables(), indexes));
    }

    public StoredIndex create(Access access, String schemaName, List<String> attributes) {
        return db.inTransaction(tx -> create(tx, access, schemaName, attributes));
    }

    /**
     * Has an index made, by the owner's consent.
     *
     * @param attributes the one whose order it keeps; before it, if there are two, one that is compared for equality
     */
    public StoredIndex create(Tx tx, Access access, String schemaName, List<String> attributes) {
        access.requireOwner();
        var schema = catalog.current(tx, access.tables(), schemaName);
        if (attributes.isEmpty() || attributes.size() > 2) {
            throw RecordsProblem.invalid(
                    "attributes", "must be one, or one that is compared for equality and one for the order");
        }
        var equality = attributes.size() == 2 ? attribute(schema, attributes.getFirst()) : null;
        var order = attribute(schema, attributes.getLast());
        if (order.equals(equality)) {
            throw RecordsProblem.invalid("attributes", "must be two different ones");
        }
        var index = HotIndex.of(access.tables(), schema, equality, order);
        want(tx, access, schema, index);
        return store.find(tx, access.project().id(), index.name()).orElseThrow(RecordsProblem::noProject);
    }

    private void want(Tx tx, Access access, Schema schema, HotIndex index) {
        want(tx, access.tables(), schema, index, "An owner asked for it.", access);
    }

    /** Wants it if the schema may have another. */
    void want(Tx tx, Tables tables, Schema schema, HotIndex index, String reason, @Nullable Access by) {
        if (!store.lock(tx, tables.project())) {
            throw RecordsProblem.noProject();
        }
        if (store.countOthers(tx, tables.project(), schema.id(), index.name()) >= MOST_PER_SCHEMA) {
            throw RecordsProblem.tooManyIndexes(MOST_PER_SCHEMA);
        }
        store.want(tx, tables, schema.id(), index, reason, by == null ? null : by.user(), clock.instant());
    }

    private static Attribute attribute(Schema schema, String name) {
        var attribute = schema.attribute(name)
                .orElseThrow(() -> RecordsProblem.invalid(
                        "attributes", "names `%s`, which the schema does not have".formatted(name)));
        if (attribute.type() == ValueType.JSONB) {
            throw RecordsProblem.invalid("attributes", "names `%s`, whose values have no order".formatted(name));
        }
        return attribute;
    }

    /** Has an index dropped. */
    public void drop(Access access, String name) {
        access.requireOwner();
        db.useTransaction(tx -> {
            if (!store.drop(tx, access.project().id(), name, clock.instant())) {
                throw RecordsProblem.noIndex();
            }
        });
    }

    /** As {@code named} by its schema's current attributes. */
    public String attributeName(Tables tables, short schema, short attribute) {
        return catalog.known(tables, schema)
                .attribute(attribute)
                .map(Attribute::name)
                .orElse(String.valueOf(attribute));
    }

    public String schemaName(Tables tables, short schema) {
        return catalog.known(tables, schema).name();
    }
}
