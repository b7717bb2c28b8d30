package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordNames;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.records.query.RecordSort;
import io.hiroba.records.views.ResolvedView;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A view that a reader has opened.
 *
 * @param shared the path of the link that it was opened by; null for a member
 */
record ViewScope(
        ProjectAccess access,
        ResolvedView view,
        Reader reader,
        @Nullable String shared) {

    ViewScope(ProjectAccess access, ResolvedView view, Reader reader) {
        this(access, view, reader, null);
    }

    /** The order of those without one: the newest first. */
    private static final String CREATED = "createdAt";

    RecordAccess recordAccess() {
        return view.recordAccess();
    }

    String schemaPath() {
        return RecordPaths.schema(access.project().id(), recordAccess().schema().name());
    }

    String path() {
        return shared == null ? schemaPath() + "/views/" + view.view().id().hex() : shared;
    }

    /** The filter and the order of the view, in words. */
    List<String> chips(FilterLines lines) {
        return Stream.concat(
                        ViewFilter.of(this, lines).texts(reader).stream(),
                        Sorting.of(view.sort(), recordAccess(), reader).texts().stream())
                .toList();
    }

    /** The attribute that cards are called by. */
    Optional<SchemaAttribute> title() {
        return view.attribute(view.definition().set().title())
                .or(() -> RecordNames.title(recordAccess()).filter(this::shows));
    }

    /** Whether the reader may see the values of {@code attribute} in it: by a link, those of its columns. */
    boolean shows(SchemaAttribute attribute) {
        return shared == null || view.shown().contains(attribute);
    }

    /** A page of its records that satisfy a further condition. */
    RecordQuery query(@Nullable JsonNode further, List<String> select, int limit) {
        var sort = view.sort();
        var query = RecordQuery.all(recordAccess().schema().name())
                .where(ConditionParser.condition(both(view.filter(), further)))
                .sortedBy(
                        sort.isEmpty()
                                ? recordAccess().schema().attribute(CREATED).isPresent()
                                        ? new RecordSort[0]
                                        : new RecordSort[] {new RecordSort(CREATED, true, false)}
                                : sort.toArray(RecordSort[]::new))
                .selecting(select)
                .limit(limit);
        // Whoever opens a link sees the days of its sharer, as everybody else who does.
        return shared == null ? query.in(reader.zone()) : query;
    }

    /** Both conditions, as far as there are any. */
    static @Nullable JsonNode both(@Nullable JsonNode one, @Nullable JsonNode other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        var both = Documents.exact().createObjectNode();
        var parts = both.putArray("and");
        Stream.of(one, other).forEach(parts::add);
        return both;
    }

    static ObjectNode test(SchemaAttribute attribute, String operator, @Nullable JsonNode value) {
        var test = Documents.exact()
                .createObjectNode()
                .put("attr", attribute.name())
                .put("op", operator);
        if (value != null) {
            test.set("value", value);
        }
        return test;
    }
}
