package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds records by what they are called, and what they are called by their ids, as far as somebody may read them. */
public final class RecordNames {

    /** So many namesakes are looked at, of which some may not be theirs to see. */
    private static final int MAX_NAMESAKES = 1_000;

    /** Two already are several. */
    private static final int FEW_NAMESAKES = 2;

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

    /**
     * The records that have one of {@code names} as the value of a unique attribute, or else as their first text, by that name. Of many
     * namesakes there are at least two.
     */
    public Map<String, Set<RowId>> called(
            Reads reads, ProjectTables tables, RecordAccess target, Collection<String> names) {
        var called = new HashMap<String, Set<RowId>>();
        var missing = new HashSet<>(names);
        var attributes = Stream.concat(target.shown().stream().filter(SchemaAttribute::unique), title(target).stream())
                .distinct()
                .toList();
        for (var attribute : attributes) {
            if (!missing.isEmpty()) {
                called.putAll(with(reads, tables, target, attribute, missing));
                missing.removeAll(called.keySet());
            }
        }
        return called;
    }

    private Map<String, Set<RowId>> with(
            Reads reads,
            ProjectTables tables,
            RecordAccess target,
            SchemaAttribute attribute,
            Collection<String> names) {
        var few = with(reads, tables, target, attribute, names, FEW_NAMESAKES);
        // Those that may not be read may stand before others that may.
        var hidden = few.named().entrySet().stream()
                .filter(each -> each.getValue().size() == FEW_NAMESAKES
                        && few.seen(each.getKey()).size() < FEW_NAMESAKES)
                .map(Map.Entry::getKey)
                .toList();
        var found = few.readable();
        for (var name : hidden) {
            found.remove(name);
            found.putAll(with(reads, tables, target, attribute, List.of(name), MAX_NAMESAKES)
                    .readable());
        }
        return found;
    }

    private Namesakes with(
            Reads reads,
            ProjectTables tables,
            RecordAccess target,
            SchemaAttribute attribute,
            Collection<String> names,
            int limit) {
        short schema = target.schema().id();
        Map<String, List<UUID>> named = Map.of();
        if (attribute.type() == ValueType.TEXT && attribute.references() == null) {
            named = store.withTexts(reads, tables, schema, attribute, names, limit);
        } else if (attribute.type() == ValueType.NUMERIC) {
            var numbers = names.stream()
                    .filter(name -> WrittenValues.isNumber(WrittenValues.number(name)))
                    .collect(Collectors.toMap(Function.identity(), name -> new BigDecimal(WrittenValues.number(name))));
            named = numbers.isEmpty() ? Map.of() : store.withNumbers(reads, tables, schema, attribute, numbers, limit);
        }
        var ids = named.values().stream().flatMap(List::stream).toList();
        return new Namesakes(named, ids.isEmpty() ? Set.of() : integrity.seen(reads, tables, target, ids));
    }

    /**
     * Records by what they are called.
     *
     * @param seen those that may be read
     */
    private record Namesakes(Map<String, List<UUID>> named, Set<UUID> seen) {

        Set<RowId> seen(String name) {
            return named.getOrDefault(name, List.of()).stream()
                    .filter(seen::contains)
                    .map(RowId::new)
                    .collect(Collectors.toSet());
        }

        Map<String, Set<RowId>> readable() {
            var readable = new HashMap<String, Set<RowId>>();
            named.keySet().forEach(name -> readable.put(name, seen(name)));
            readable.values().removeIf(Set::isEmpty);
            return readable;
        }
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
