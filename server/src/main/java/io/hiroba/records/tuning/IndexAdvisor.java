package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.ValueType;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Suggests indexes from the counted use of attributes. */
final class IndexAdvisor {

    static final Duration PERIOD = Duration.ofDays(7);

    /** The number of uses below which no index is suggested. */
    static final long MIN_USES = 100;

    /** The number of records below which every scan is fast. */
    static final double MIN_ROWS = 10_000;

    private final Db db;
    private final InstantSource clock;
    private final SchemaCatalog catalog;
    private final AttributeUsageStore usage = new AttributeUsageStore();
    private final HotIndexStore store = new HotIndexStore();

    IndexAdvisor(Db db, InstantSource clock, SchemaCatalog catalog) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
    }

    /** The indexes that would help the project and were neither created nor rejected, the most used first. */
    List<Indexes.Proposal> of(ProjectTables tables, List<StoredIndex> existing) {
        var names = existing.stream().map(StoredIndex::name).collect(Collectors.toUnmodifiableSet());
        return db.read(reads -> of(reads, tables, names));
    }

    private List<Indexes.Proposal> of(Reads reads, ProjectTables tables, Set<String> names) {
        var rows = store.rowCounts(reads, tables.project());
        var found = new ArrayList<Indexes.Proposal>();
        for (var noted : usage.since(reads, tables.project(), clock.instant().minus(PERIOD))) {
            double records = rows.getOrDefault(noted.use().schema(), 0.0);
            if (noted.total() >= MIN_USES && records >= MIN_ROWS) {
                proposal(reads, tables, noted, records)
                        .filter(each -> !names.contains(each.index().name()))
                        .ifPresent(found::add);
            }
        }
        found.sort(Comparator.comparingLong(Indexes.Proposal::uses)
                .reversed()
                .thenComparing(each -> each.index().name()));
        return found;
    }

    private Optional<Indexes.Proposal> proposal(
            Reads reads, ProjectTables tables, AttributeUsageStore.Noted noted, double records) {
        Schema schema;
        try {
            schema = catalog.cached(reads, tables, noted.use().schema());
        } catch (RecordsProblem gone) {
            return Optional.empty();
        }
        var order = schema.attribute(noted.use().attribute()).orElse(null);
        var equality = noted.use().equality() == null
                ? null
                : schema.attribute(noted.use().equality()).orElse(null);
        if (order == null || !serves(order) || (noted.use().equality() != null && !comparable(equality))) {
            return Optional.empty();
        }
        var index = HotIndex.of(tables, schema, equality, order);
        return Optional.of(new Indexes.Proposal(schema, index, noted.total(), reason(noted, order, equality, records)));
    }

    /** Whether an order by the attribute is worth an index; with two distinct values it is not. */
    private static boolean serves(SchemaAttribute attribute) {
        return comparable(attribute) && attribute.type() != ValueType.BOOL;
    }

    private static boolean comparable(@Nullable SchemaAttribute attribute) {
        return attribute != null && attribute.type().isOrdered();
    }

    private static Text reason(
            AttributeUsageStore.Noted noted,
            SchemaAttribute order,
            @Nullable SchemaAttribute equality,
            double records) {
        var uses = new ArrayList<Text>();
        if (equality != null) {
            uses.add(
                    Text.of("records.query.index-sorted-within", "times", noted.sorted(), "equality", equality.name()));
        } else {
            add(uses, "sorted", noted.sorted());
            add(uses, "filtered", noted.filtered());
            add(uses, "prefixed", noted.prefixed());
        }
        return Text.of(
                "records.query.index-used",
                "attribute",
                order.name(),
                "uses",
                uses,
                "days",
                PERIOD.toDays(),
                "records",
                Math.round(records));
    }

    private static void add(List<Text> uses, String how, long times) {
        if (times > 0) {
            uses.add(Text.of("records.query.index-" + how, "times", times));
        }
    }
}
