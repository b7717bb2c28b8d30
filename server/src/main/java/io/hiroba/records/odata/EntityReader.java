package io.hiroba.records.odata;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordView;
import io.hiroba.records.Records;
import io.hiroba.records.RowId;
import io.hiroba.records.odata.EntityModel.EntitySet;
import io.hiroba.records.odata.EntityModel.Navigation;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.records.query.RecordSort;
import io.hiroba.records.query.ResultRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads entities by the queries of records, with the entities that they refer to. */
final class EntityReader {

    /** The records of one statement. */
    private static final int BATCH = 100;

    /** The same where each may bring hundreds of others. */
    private static final int SMALL_BATCH = 10;

    /** The records that others refer to after which an answer ends before it is full. */
    private static final int MAX_REFERENCES = 2_000;

    /** The records of an answer; the next link leads to the others. */
    static final int MAX_PAGE = 1000;

    /** The length of documents after which an answer ends before it is full. */
    private static final int MAX_CHARACTERS = 4_000_000;

    private final Records records;
    private final Queries queries;

    EntityReader(Records records, Queries queries) {
        this.records = records;
        this.queries = queries;
    }

    /**
     * A record with its values by the ids of their attributes.
     *
     * @param expanded the entities that it refers to, by the names of navigation properties; without those that the caller may not read
     */
    record Entity(
            String id,
            int version,
            Instant createdAt,
            String createdBy,
            Instant updatedAt,
            String updatedBy,
            Map<Short, JsonNode> values,
            Map<String, List<Entity>> expanded) {

        private static Entity of(QueryResult found, ResultRow row) {
            var values = new HashMap<Short, JsonNode>();
            var document = row.document();
            for (var attribute : found.attributes()) {
                var value = Documents.value(document, attribute);
                if (!value.isNull()) {
                    values.put(attribute.id(), attribute.type().shown(value));
                }
            }
            return new Entity(
                    row.id().toString(),
                    row.version(),
                    row.id().createdAt(),
                    row.createdBy().hex(),
                    row.updatedAt(),
                    row.updatedBy().hex(),
                    values,
                    Map.of());
        }

        private static Entity of(Records.RecordSet found, RecordView view) {
            var values = new HashMap<Short, JsonNode>();
            for (var attribute : found.schema().attributes()) {
                var value = view.values().get(attribute.name());
                if (value != null) {
                    values.put(attribute.id(), value);
                }
            }
            return new Entity(
                    view.id(),
                    view.version(),
                    view.createdAt(),
                    view.createdBy(),
                    view.updatedAt(),
                    view.updatedBy(),
                    values,
                    Map.of());
        }

        private Entity with(Map<String, List<Entity>> others) {
            return new Entity(id, version, createdAt, createdBy, updatedAt, updatedBy, values, others);
        }

        /** The ids of what it refers to, in order. */
        List<RowId> references(Navigation navigation) {
            var value = values.get(navigation.key().attribute().id());
            var ids =
                    value == null ? Stream.<JsonNode>empty() : value.isArray() ? value.valueStream() : Stream.of(value);
            return ids.flatMap(id -> RowId.find(id.asString("")).stream()).toList();
        }
    }

    /**
     * A part of an entity set.
     *
     * @param next the cursor of what follows; null at the end
     * @param count null unless asked for
     */
    record EntityPage(
            List<Entity> entities,
            @Nullable String next,
            @Nullable Long count) {

        EntityPage {
            entities = List.copyOf(entities);
        }
    }

    /** @param most the length of the page; fewer where records are long */
    EntityPage page(ProjectAccess access, EntitySet set, ODataOptions options, int most) {
        try {
            return read(access, set, options, most);
        } catch (HttpProblem refusal) {
            // Queries know it by the name that the API has for it.
            throw options.skipToken() != null && refusal.code().equals("http.bad-cursor")
                    ? ODataProblem.invalid(ODataOptions.SKIP_TOKEN, Text.of("http.field.no-cursor"))
                    : refusal;
        }
    }

    private EntityPage read(ProjectAccess access, EntitySet set, ODataOptions options, int most) {
        var query = RecordQuery.all(String.valueOf(set.schema().id()))
                .where(options.where())
                .sortedBy(options.order().toArray(RecordSort[]::new));
        var cursor = options.skipToken();
        int skipped = 0;
        while (skipped < options.skip()) {
            var page = queries.page(
                    access.caller(),
                    access.project().id(),
                    query.limit(Math.min(BATCH, options.skip() - skipped)).after(cursor));
            skipped += page.rows().size();
            cursor = page.next();
            if (cursor == null) {
                return new EntityPage(List.of(), null, options.count() ? count(access, set, options) : null);
            }
        }
        var count = options.count() ? count(access, set, options) : null;
        var entities = new ArrayList<Entity>();
        int characters = 0;
        int references = 0;
        int batch = options.expand().stream().anyMatch(each -> each.navigation().isMany()) ? SMALL_BATCH : BATCH;
        while (entities.size() < most && characters < MAX_CHARACTERS && references < MAX_REFERENCES) {
            var found = queries.page(
                    access.caller(),
                    access.project().id(),
                    query.limit(Math.min(batch, most - entities.size())).after(cursor));
            for (var row : found.rows()) {
                var entity = Entity.of(found, row);
                entities.add(entity);
                characters += row.stored().length();
                references += options.expand().stream()
                        .mapToInt(each -> entity.references(each.navigation()).size())
                        .sum();
            }
            cursor = found.next();
            if (cursor == null) {
                break;
            }
        }
        return new EntityPage(expanded(access, entities, options), cursor, count);
    }

    /** The exact number of records that match. */
    long count(ProjectAccess access, EntitySet set, ODataOptions options) {
        var query = RecordQuery.all(String.valueOf(set.schema().id()))
                .where(options.where())
                .limit(1)
                .counting(RecordQuery.Count.EXACT);
        return Objects.requireNonNull(
                        queries.page(access.caller(), access.project().id(), query)
                                .count())
                .value();
    }

    /** The entity with this id, if the caller may read it. */
    Optional<Entity> entity(ProjectAccess access, EntitySet set, RowId id, ODataOptions options) {
        var entities = List.copyOf(entities(access, set, List.of(id)).values());
        return expanded(access, entities, options).stream().findFirst();
    }

    private List<Entity> expanded(ProjectAccess access, List<Entity> entities, ODataOptions options) {
        if (options.expand().isEmpty() || entities.isEmpty()) {
            return entities;
        }
        var targets = new HashMap<String, Map<String, Entity>>();
        for (var expand : options.expand()) {
            var ids = entities.stream()
                    .flatMap(each -> each.references(expand.navigation()).stream())
                    .distinct()
                    .toList();
            targets.put(expand.navigation().name(), ids.isEmpty() ? Map.of() : entities(access, expand.target(), ids));
        }
        return entities.stream()
                .map(entity -> entity.with(options.expand().stream()
                        .map(ODataOptions.Expand::navigation)
                        .collect(Collectors.toMap(
                                Navigation::name,
                                navigation -> targets(
                                        entity, navigation, targets.getOrDefault(navigation.name(), Map.of()))))))
                .toList();
    }

    private static List<Entity> targets(Entity entity, Navigation navigation, Map<String, Entity> found) {
        return entity.references(navigation).stream()
                .flatMap(id -> Stream.ofNullable(found.get(id.toString())))
                .toList();
    }

    /** The entities that a navigation property of an entity leads to. */
    List<Entity> related(
            ProjectAccess access, Entity entity, Navigation navigation, EntitySet target, ODataOptions options) {
        var ids = entity.references(navigation);
        return ids.isEmpty()
                ? List.of()
                : expanded(access, targets(entity, navigation, entities(access, target, ids)), options);
    }

    private Map<String, Entity> entities(ProjectAccess access, EntitySet set, List<RowId> ids) {
        var found = records.find(access, String.valueOf(set.schema().id()), ids);
        return found.records().values().stream()
                .collect(Collectors.toMap(RecordView::id, view -> Entity.of(found, view)));
    }
}
