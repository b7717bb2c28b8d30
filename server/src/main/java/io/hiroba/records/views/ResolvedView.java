package io.hiroba.records.views;

import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.records.query.RecordSort;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A view as one reader sees it: without what is gone or hidden from them.
 *
 * @param definition with the names of now in filter and order, and ids elsewhere
 * @param columns all attributes that the reader may read, in the order of the view
 * @param parts the conditions of the filter
 * @param gone what the view names and the reader cannot see, by id
 */
public record ResolvedView(
        ViewRow view,
        RecordAccess recordAccess,
        ViewDefinition definition,
        List<ShownColumn> columns,
        Parts parts,
        Set<String> gone) {

    /**
     * The conditions that must all hold for a record of the view.
     *
     * @param seen with the names of now
     * @param unseen those that the reader does not see in full, with ids: who saves the view keeps them as they are. An owner
     *     sees all that is there
     */
    public record Parts(List<JsonNode> seen, List<JsonNode> unseen) {

        public Parts {
            seen = List.copyOf(seen);
            unseen = List.copyOf(unseen);
        }
    }

    /**
     * A column as it is shown.
     *
     * @param width in pixels; null for what its content needs
     */
    public record ShownColumn(
            SchemaAttribute attribute,
            boolean hidden,
            @Nullable Integer width,
            boolean frozen) {}

    /** The attributes of the columns that are not hidden. */
    public List<SchemaAttribute> shown() {
        return columns.stream()
                .filter(each -> !each.hidden())
                .map(ShownColumn::attribute)
                .toList();
    }

    /** The columns that the view names and the reader cannot see: who saves it keeps them as they are. */
    public List<ViewDefinition.Column> unseen() {
        var seen = columns.stream()
                .map(each -> String.valueOf(each.attribute().id()))
                .collect(Collectors.toSet());
        return view.definition().columnList().stream()
                .filter(each -> !seen.contains(each.attribute()))
                .toList();
    }

    /** The same without columns that the view does not name. */
    ResolvedView ofNamedColumns() {
        var named = view.definition().columnList().stream()
                .map(ViewDefinition.Column::attribute)
                .collect(Collectors.toSet());
        return new ResolvedView(
                view,
                recordAccess,
                definition,
                columns.stream()
                        .filter(each ->
                                named.contains(String.valueOf(each.attribute().id())))
                        .toList(),
                parts,
                gone);
    }

    /** An attribute of the settings; empty for none, or one that is gone. */
    public Optional<SchemaAttribute> attribute(@Nullable String id) {
        return id == null ? Optional.empty() : recordAccess.attribute(id);
    }

    public @Nullable JsonNode filter() {
        return definition.filter();
    }

    public List<RecordSort> sort() {
        var keys = definition.sort();
        return keys == null
                ? List.of()
                : keys.stream()
                        .map(each ->
                                new RecordSort(each.attr(), "desc".equals(each.dir()), "first".equals(each.nulls())))
                        .toList();
    }

    /** The first page of its records. */
    public RecordQuery query() {
        return RecordQuery.all(recordAccess.schema().name())
                .where(ConditionParser.condition(filter()))
                .sortedBy(sort().toArray(RecordSort[]::new))
                .selecting(shown().stream().map(SchemaAttribute::name).toList());
    }
}
