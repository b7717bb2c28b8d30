package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Finds records by what they are called, and what they are called by their ids, as far as somebody may read them. */
public final class RecordNames {

    /** So many namesakes are looked at, of which some may not be theirs to see. */
    private static final int MAX_NAMESAKES = 1_000;

    private final RecordNameStore store = new RecordNameStore();
    private final IntegrityStore integrity = new IntegrityStore();

    /** The attribute that names a record for people: the first text. */
    public static Optional<SchemaAttribute> title(RecordAccess recordAccess) {
        return recordAccess.shown().stream()
                .filter(each -> each.type() == ValueType.TEXT
                        && each.references() == null
                        && !each.isGenerated()
                        && !each.isPerson())
                .findFirst();
    }

    /** The records that have {@code name} as the value of a unique attribute, or else as their first text. */
    public List<RowId> called(Reads reads, ProjectTables tables, RecordAccess target, String name) {
        for (var attribute : target.shown()) {
            var found = attribute.unique() ? with(reads, tables, target, attribute, name) : List.<RowId>of();
            if (!found.isEmpty()) {
                return found;
            }
        }
        return title(target)
                .map(attribute -> with(reads, tables, target, attribute, name))
                .orElse(List.of());
    }

    private List<RowId> with(
            Reads reads, ProjectTables tables, RecordAccess target, SchemaAttribute attribute, String name) {
        short schema = target.schema().id();
        var number = WrittenValues.number(name);
        List<UUID> found = List.of();
        if (attribute.type() == ValueType.TEXT && attribute.references() == null) {
            found = store.withText(reads, tables, schema, attribute, name, MAX_NAMESAKES);
        } else if (attribute.type() == ValueType.NUMERIC && WrittenValues.isNumber(number)) {
            found = store.withNumber(reads, tables, schema, attribute, new BigDecimal(number), MAX_NAMESAKES);
        }
        return found.isEmpty()
                ? List.of()
                : integrity.seen(reads, tables, target, found).stream()
                        .map(RowId::new)
                        .toList();
    }

    /** The first texts of those of {@code ids} that the reader may read. */
    public Map<UUID, String> titles(Reads reads, ProjectTables tables, RecordAccess target, Collection<UUID> ids) {
        var title = title(target);
        if (title.isEmpty() || ids.isEmpty()) {
            return Map.of();
        }
        var seen = integrity.seen(reads, tables, target, ids);
        return store.texts(reads, tables, target.schema().id(), title.get(), seen);
    }
}
