package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes of records as programs outside see them: for the members of the project, by the rules for rows. A record that is gone
 * cannot be matched with such rules any more; its deletion is told to those who read all rows.
 */
final class PublishedRecordEvents implements PublishedEvents {

    private static final String CREATED = "record.created";
    private static final String UPDATED = "record.updated";
    private static final String DELETED = "record.deleted";

    /** Some thousand records at once, without their ids. */
    private static final String IMPORTED = "record.imported";

    /** Of a schema with all its records. */
    private static final Map<String, String> OF_SCHEMAS =
            Map.of(RemovedSchemas.DELETED, "schema.deleted", RemovedSchemas.RESTORED, "schema.restored");

    private static final String IMPORTED_SOURCE = "records-imported";

    private final Projects projects;
    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final RecordStore store = new RecordStore();

    PublishedRecordEvents(Projects projects, SchemaCatalog catalog, AccessResolver accessResolver) {
        this.projects = projects;
        this.catalog = catalog;
        this.accessResolver = accessResolver;
    }

    @Override
    public String scope() {
        return TokenScope.RECORDS_READ.code();
    }

    @Override
    public List<String> types() {
        return Stream.concat(
                        Stream.of(CREATED, UPDATED, DELETED, IMPORTED),
                        OF_SCHEMAS.values().stream().sorted())
                .toList();
    }

    @Override
    public Set<String> sources() {
        return Set.of(
                RecordEvents.CREATED,
                RecordEvents.CHANGED,
                RecordEvents.DELETED,
                IMPORTED_SOURCE,
                RemovedSchemas.DELETED,
                RemovedSchemas.RESTORED);
    }

    @Override
    public Optional<PublishedEvent> publish(Event event) {
        return switch (event.type()) {
            case RecordEvents.CREATED -> Optional.of(published(CREATED, event));
            case RecordEvents.CHANGED -> Optional.of(published(UPDATED, event));
            case RecordEvents.DELETED -> Optional.of(published(DELETED, event));
            case IMPORTED_SOURCE -> Optional.of(imported(event));
            default -> Optional.ofNullable(OF_SCHEMAS.get(event.type())).map(type -> ofSchema(type, event));
        };
    }

    private static PublishedEvent published(String type, Event event) {
        var from = event.payload();
        var row = from.path("rowId").asString();
        var data = data(event);
        data.put("recordId", row);
        data.put("version", from.path("version").asLong());
        data.put("path", path(event) + "/" + row);
        return new PublishedEvent(event.id(), type, row, data);
    }

    private static PublishedEvent imported(Event event) {
        var from = event.payload();
        var data = data(event);
        data.put("importId", from.path("importId").asString());
        data.put("count", from.path("count").asLong());
        data.put("path", path(event));
        return new PublishedEvent(event.id(), IMPORTED, from.path("importId").asString(), data);
    }

    private static PublishedEvent ofSchema(String type, Event event) {
        var data = data(event);
        var path = "/api/v1/projects/%s/%s/%s"
                .formatted(
                        event.payload().path("projectId").asString(),
                        event.type().equals(RemovedSchemas.DELETED) ? "removed-schemas" : "schemas",
                        data.path(RecordEvents.SCHEMA_ID).asString());
        data.put("path", path);
        return new PublishedEvent(
                event.id(), type, data.path(RecordEvents.SCHEMA_ID).asString(), data);
    }

    private static ObjectNode data(Event event) {
        var from = event.payload();
        var data = Json.mapper().createObjectNode();
        data.put(PublishedEvent.PROJECT, from.path("projectId").asString());
        data.put("schema", from.path("schema").asString());
        if (from.has(RecordEvents.SCHEMA_ID)) {
            data.put(RecordEvents.SCHEMA_ID, from.path(RecordEvents.SCHEMA_ID).asInt());
        }
        data.put("by", from.path("by").asString());
        return data;
    }

    /** The path of all records of the schema. */
    private static String path(Event event) {
        var schema = event.payload().path("schema").asString();
        return "/api/v1/projects/%s/records/%s"
                .formatted(
                        event.payload().path("projectId").asString(),
                        URLEncoder.encode(schema, StandardCharsets.UTF_8).replace("+", "%20"));
    }

    @Override
    public Map<Subscriber, List<PublishedEvent>> readable(Reads reads, Map<Subscriber, List<PublishedEvent>> events) {
        var members = projects.membersAmong(
                reads,
                events.values().stream()
                        .flatMap(List::stream)
                        .map(PublishedRecordEvents::projectOf)
                        .collect(Collectors.toSet()),
                events.keySet().stream()
                        .map(subscriber -> new UserId(subscriber.user()))
                        .toList());
        var rights = new Rights(reads);
        return PublishedEvents.filtered(
                events,
                (subscriber, event) -> (subscriber.admin()
                                || members.getOrDefault(projectOf(event), Set.of())
                                        .contains(new UserId(subscriber.user())))
                        && rights.canRead(subscriber, event));
    }

    private static ProjectId projectOf(PublishedEvent event) {
        return new ProjectId(Ids.parse(event.data().path(PublishedEvent.PROJECT).asString()));
    }

    /** The rights to projects, schemas and records that were asked for while events are looked at: many are about the same. */
    private final class Rights {

        private final Reads reads;
        private final Map<ProjectReader, Optional<ProjectAccess>> accesses = new HashMap<>();
        private final Map<SchemaReader, Optional<RecordAccess>> records = new HashMap<>();
        private final Map<SchemaName, Optional<Schema>> schemas = new HashMap<>();
        private final Map<String, Optional<RecordRow>> rows = new HashMap<>();

        private record ProjectReader(Subscriber subscriber, ProjectId project) {}

        private record SchemaReader(ProjectReader reader, String schema) {}

        private record SchemaName(ProjectId project, String schema) {}

        Rights(Reads reads) {
            this.reads = reads;
        }

        boolean canRead(Subscriber subscriber, PublishedEvent event) {
            var reader = new ProjectReader(subscriber, projectOf(event));
            var access = accesses.computeIfAbsent(reader, this::projectAccess);
            if (OF_SCHEMAS.containsValue(event.type())) {
                // Which schemas there are is known to every member.
                return access.isPresent();
            }
            var schema = RecordEvents.schema(event.data());
            return access.flatMap(found ->
                            records.computeIfAbsent(new SchemaReader(reader, schema), _ -> recordAccess(found, schema)))
                    .filter(record -> canRead(access.get(), record, event))
                    .isPresent();
        }

        private Optional<ProjectAccess> projectAccess(ProjectReader reader) {
            var subscriber = reader.subscriber();
            var caller = new Caller(new UserId(subscriber.user()), subscriber.admin(), new Caller.ByServer(), null);
            try {
                return Optional.of(projects.access(reads, caller, reader.project()));
            } catch (RecordsProblem notMember) {
                return Optional.empty();
            }
        }

        private Optional<RecordAccess> recordAccess(ProjectAccess access, String name) {
            return schemas.computeIfAbsent(
                            new SchemaName(access.project().id(), name), _ -> schema(access.tables(), name))
                    .map(schema -> accessResolver.of(reads, access, schema));
        }

        /** Not the cached one: its rules may be those of before another node changed them. */
        private Optional<Schema> schema(ProjectTables tables, String name) {
            try {
                return Optional.of(catalog.refreshed(reads, tables, name));
            } catch (RecordsProblem noSchema) {
                return Optional.empty();
            }
        }

        private boolean canRead(ProjectAccess access, RecordAccess record, PublishedEvent event) {
            return record.rules().showsAllRows()
                    || rows.computeIfAbsent(event.key(), row -> row(access, record, row))
                            .filter(row -> Records.canReadRow(record, row))
                            .isPresent();
        }

        private Optional<RecordRow> row(ProjectAccess access, RecordAccess record, String row) {
            return RowId.find(row)
                    .map(id -> store.find(reads, access.tables(), record.schema(), id))
                    .filter(RecordStore.Found::isCurrent)
                    .flatMap(found -> Optional.ofNullable(found.row()));
        }
    }
}
