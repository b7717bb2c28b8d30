package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Previews of single records for other features: their titles, single texts, and the members who can see them. */
public final class RecordPreviews {

    private final Projects projects;
    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final RecordStore store = new RecordStore();

    public RecordPreviews(Projects projects, SchemaCatalog catalog, AccessResolver accessResolver) {
        this.projects = projects;
        this.catalog = catalog;
        this.accessResolver = accessResolver;
    }

    /** Whether the schema has this text attribute, or one of people; locked until {@code tx} ends. */
    public boolean namesPeople(Tx tx, ProjectId project, String schema, String attribute) {
        return projects.find(tx, project).flatMap(found -> schema(tx, found, schema)).stream()
                .flatMap(found -> found.attributes().stream())
                .anyMatch(each -> each.isFormatted(ValueFormat.Kind.PERSON)
                        || (each.name().equals(attribute) && each.type() == ValueType.TEXT));
    }

    private Optional<Schema> schema(Tx tx, Project project, String name) {
        try {
            return Optional.of(catalog.current(tx, project.tables(), name));
        } catch (RecordsProblem e) {
            return Optional.empty();
        }
    }

    public Optional<RecordPreview> find(Tx tx, ProjectId project, String schema, RowId id) {
        return projects.find(tx, project)
                .flatMap(found -> schema(tx, found, schema)
                        .flatMap(current -> Optional.ofNullable(store.find(tx, found.tables(), current, id)
                                        .row())
                                .map(row -> new RecordPreview(tx, found, current, row))));
    }

    /** A record in a transaction. */
    public final class RecordPreview {

        private final Tx tx;
        private final Project project;
        private final Schema schema;
        private final RecordRow row;

        private RecordPreview(Tx tx, Project project, Schema schema, RecordRow row) {
            this.tx = tx;
            this.project = project;
            this.schema = schema;
            this.row = row;
        }

        /** The value of a text attribute. */
        public Optional<String> text(String attribute) {
            return schema.attribute(attribute).flatMap(this::text);
        }

        private Optional<String> text(SchemaAttribute attribute) {
            return Optional.of(Documents.value(row.document(), attribute))
                    .filter(JsonNode::isString)
                    .map(JsonNode::stringValue)
                    .filter(text -> !text.isBlank());
        }

        /** The people whom its values name, as far as they may read these. */
        public Set<UserId> people() {
            var people = new LinkedHashSet<UserId>();
            for (var attribute : schema.attributes()) {
                if (attribute.isFormatted(ValueFormat.Kind.PERSON)) {
                    var value = Documents.value(row.document(), attribute);
                    (value.isArray() ? value.valueStream() : Stream.of(value))
                            .map(each -> each.asString(""))
                            .filter(Ids::isId)
                            .map(UserId::parse)
                            .filter(user -> projects.find(tx, project.id(), user)
                                    .filter(access -> accessResolver
                                            .of(tx, access, schema)
                                            .canRead(attribute))
                                    .isPresent())
                            .forEach(people::add);
                }
            }
            return people;
        }

        /** The first text besides {@code except} that no member is denied; otherwise the schema and the id. */
        public String title(String except) {
            var hidden = schema.binding(ProjectRole.VIEWER).hidden();
            return schema.attributes().stream()
                    .filter(each ->
                            !hidden.contains(each.name()) && !schema.rules().everHide(each.name()))
                    .filter(each -> each.type() == ValueType.TEXT && each.references() == null && !each.isPerson())
                    .filter(each -> !each.name().equals(except))
                    .flatMap(each -> text(each).stream())
                    .findFirst()
                    .orElseGet(() -> schema.name() + " " + row.id().toString().substring(0, 8));
        }

        /** Whether the user is a member of the project who may read the record. */
        public boolean isVisibleTo(UserId user) {
            return projects.find(tx, project.id(), user)
                    .filter(access -> Records.canReadRow(accessResolver.of(tx, access, schema), row))
                    .isPresent();
        }
    }
}
