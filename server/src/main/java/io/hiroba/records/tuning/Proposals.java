package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Tables;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.ValueType;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Concludes from use which indexes a project could do with. */
final class Proposals {

    static final Duration PERIOD = Duration.ofDays(7);

    /** Less use is not worth mentioning. */
    static final long MENTIONED = 100;

    /** With fewer records every way to them is short. */
    static final double FEWEST_ROWS = 10_000;

    private final Db db;
    private final InstantSource clock;
    private final Catalog catalog;
    private final UsageStore usage = new UsageStore();
    private final CareStore care = new CareStore();

    Proposals(Db db, InstantSource clock, Catalog catalog) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
    }

    /** What the project could do with and neither has nor was refused, the most used first. */
    List<Proposal> of(Tables tables, List<StoredIndex> existing) {
        var names = existing.stream().map(StoredIndex::name).collect(Collectors.toUnmodifiableSet());
        return db.read(reads -> of(reads, tables, names));
    }

    private List<Proposal> of(Reads reads, Tables tables, Set<String> names) {
        var rows = care.rows(reads, tables.project());
        var found = new ArrayList<Proposal>();
        for (var noted : usage.since(reads, tables.project(), clock.instant().minus(PERIOD))) {
            double records = rows.getOrDefault(noted.use().schema(), 0.0);
            if (noted.total() >= MENTIONED && records >= FEWEST_ROWS) {
                proposal(reads, tables, noted, records)
                        .filter(each -> !names.contains(each.index().name()))
                        .ifPresent(found::add);
            }
        }
        found.sort(Comparator.comparingLong(Proposal::uses)
                .reversed()
                .thenComparing(each -> each.index().name()));
        return found;
    }

    private Optional<Proposal> proposal(Reads reads, Tables tables, UsageStore.Noted noted, double records) {
        Schema schema;
        try {
            schema = catalog.known(reads, tables, noted.use().schema());
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
        return Optional.of(new Proposal(schema, index, noted.total(), reason(noted, order, equality, records)));
    }

    /** Whether an order by it is worth an index: of two values it is not. */
    private static boolean serves(Attribute attribute) {
        return comparable(attribute) && attribute.type() != ValueType.BOOL;
    }

    private static boolean comparable(@Nullable Attribute attribute) {
        return attribute != null && attribute.type() != ValueType.JSONB;
    }

    private static String reason(
            UsageStore.Noted noted, Attribute order, @Nullable Attribute equality, double records) {
        var uses = new ArrayList<String>();
        if (equality != null) {
            uses.add(String.format(
                    Locale.ROOT,
                    "`%s` was sorted by %,d times within one value of `%s`",
                    order.name(),
                    noted.sorted(),
                    equality.name()));
        } else {
            add(uses, "sorted by", noted.sorted());
            add(uses, "filtered by", noted.filtered());
            add(uses, "searched by its beginning", noted.prefixed());
            uses.set(0, "`%s` was %s".formatted(order.name(), uses.getFirst()));
        }
        return String.format(
                Locale.ROOT, "%s in %d days, among %,.0f records.", String.join(", ", uses), PERIOD.toDays(), records);
    }

    private static void add(List<String> uses, String how, long times) {
        if (times > 0) {
            uses.add(String.format(Locale.ROOT, "%s %,d times", how, times));
        }
    }
}
