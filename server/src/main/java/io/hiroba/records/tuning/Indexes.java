package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The indexes of a project, for its owners to list, create and drop. */
public final class Indexes {

    /** A limit, since each index slows every write down. */
    static final int MAX_PER_SCHEMA = 8;

    private final Db db;
    private final InstantSource clock;
    private final SchemaCatalog catalog;
    private final IndexAdvisor proposals;
    private final HotIndexStore store = new HotIndexStore();

    public Indexes(Db db, InstantSource clock, SchemaCatalog catalog) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.proposals = new IndexAdvisor(db, clock, catalog);
    }

    /** The indexes of a project and the suggested ones. */
    public record Overview(List<StoredIndex> indexes, List<Proposal> proposals) {}

    public Overview overview(ProjectAccess access) {
        access.requireOwner();
        var indexes = db.read(reads -> store.of(reads, access.project().id()));
        return new Overview(indexes, proposals.of(access.tables(), indexes));
    }

    public StoredIndex create(ProjectAccess access, String schemaName, List<String> attributes) {
        return db.inTransaction(tx -> create(tx, access, schemaName, attributes));
    }

    /**
     * Creates an index.
     *
     * @param attributes the attribute of the order, after the one compared for equality if there are two
     */
    public StoredIndex create(Tx tx, ProjectAccess access, String schemaName, List<String> attributes) {
        access.requireOwner();
        var schema = catalog.current(tx, access.tables(), schemaName);
        if (attributes.isEmpty() || attributes.size() > 2) {
            throw RecordsProblem.invalid("attributes", Text.of("records.query.index-attributes"));
        }
        var equality = attributes.size() == 2 ? attribute(schema, attributes.getFirst()) : null;
        var order = attribute(schema, attributes.getLast());
        if (order.equals(equality)) {
            throw RecordsProblem.invalid("attributes", Text.of("records.query.index-twice"));
        }
        var index = HotIndex.of(access.tables(), schema, equality, order);
        request(tx, access, schema, index);
        return store.find(tx, access.project().id(), index.name()).orElseThrow(RecordsProblem::noProject);
    }

    private void request(Tx tx, ProjectAccess access, Schema schema, HotIndex index) {
        request(tx, access.tables(), schema, index, Text.of("records.query.index-requested"), access);
    }

    /** Requests the index unless the schema has the maximum. */
    void request(Tx tx, ProjectTables tables, Schema schema, HotIndex index, Text reason, @Nullable ProjectAccess by) {
        if (!store.lock(tx, tables.project())) {
            throw RecordsProblem.noProject();
        }
        if (store.countOthers(tx, tables.project(), schema.id(), index.name()) >= MAX_PER_SCHEMA) {
            throw RecordsProblem.tooManyIndexes(MAX_PER_SCHEMA);
        }
        store.request(tx, tables, schema.id(), index, reason, by == null ? null : by.user(), clock.instant());
    }

    private static SchemaAttribute attribute(Schema schema, String name) {
        var attribute = schema.attribute(name)
                .orElseThrow(() -> RecordsProblem.invalid(
                        "attributes", Text.of("records.query.index-no-attribute", "name", name)));
        if (!attribute.type().isOrdered()) {
            throw RecordsProblem.invalid("attributes", Text.of("records.query.index-no-order", "name", name));
        }
        return attribute;
    }

    /** Drops an index. */
    public void drop(ProjectAccess access, String name) {
        access.requireOwner();
        db.useTransaction(tx -> {
            if (!store.drop(tx, access.project().id(), name, clock.instant())) {
                throw RecordsProblem.noIndex();
            }
        });
    }

    /** Resolves the names of attributes. */
    public String attributeName(ProjectTables tables, short schema, short attribute) {
        return catalog.cached(tables, schema)
                .attribute(attribute)
                .map(SchemaAttribute::name)
                .orElse(String.valueOf(attribute));
    }

    public String schemaName(ProjectTables tables, short schema) {
        return catalog.cached(tables, schema).name();
    }

    /**
     * A suggested index.
     *
     * @param uses the number of uses within {@link IndexAdvisor#PERIOD}
     * @param reason a sentence for the owner
     */
    public record Proposal(Schema schema, HotIndex index, long uses, Text reason) {}
}
