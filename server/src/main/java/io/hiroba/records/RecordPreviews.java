package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import java.util.Optional;
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

    /** Whether the schema has this text attribute; locked until {@code tx} ends. */
    public boolean hasTextAttribute(Tx tx, ProjectId project, String schema, String attribute) {
        return projects.find(tx, project)
                .flatMap(found -> schema(tx, found, schema))
                .flatMap(found -> found.attribute(attribute))
                .filter(found -> found.type() == ValueType.TEXT)
                .isPresent();
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

        /** The first text besides {@code except} that no member is denied; otherwise the schema and the id. */
        public String title(String except) {
            var hidden = schema.binding(ProjectRole.VIEWER).hidden();
            return schema.attributes().stream()
                    .filter(each -> !hidden.contains(each.name()) && !schema.rules().everHide(each.name()))
                    .filter(each -> each.type() == ValueType.TEXT && each.references() == null)
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
