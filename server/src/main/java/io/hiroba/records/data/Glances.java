package io.hiroba.records.data;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Access;
import io.hiroba.records.Project;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Role;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Sights;
import io.hiroba.records.schema.ValueType;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Looks at single records in nobody's name, to tell others what they are called and who may see them. */
public final class Glances {

    private final Projects projects;
    private final Catalog catalog;
    private final Sights sights;
    private final RecordStore store = new RecordStore();

    public Glances(Projects projects, Catalog catalog, Sights sights) {
        this.projects = projects;
        this.catalog = catalog;
        this.sights = sights;
    }

    /** The schema as it is and stays until {@code tx} ends, if it is there. */
    public Optional<Schema> schema(Tx tx, ProjectId project, String name) {
        return projects.find(tx, project).flatMap(found -> schema(tx, found, name));
    }

    private Optional<Schema> schema(Tx tx, Project project, String name) {
        try {
            return Optional.of(catalog.current(tx, project.tables(), name));
        } catch (RecordsProblem e) {
            return Optional.empty();
        }
    }

    /** The record, if it is there. */
    public Optional<Glance> of(Tx tx, ProjectId project, String schema, RowId id) {
        return projects.find(tx, project)
                .flatMap(found -> schema(tx, found, schema)
                        .flatMap(current -> Optional.ofNullable(store.find(tx, found.tables(), current, id)
                                        .row())
                                .map(row -> new Glance(tx, found, current, row))));
    }

    /** A record as it is in a transaction. */
    public final class Glance {

        private final Tx tx;
        private final Project project;
        private final Schema schema;
        private final Row row;

        private Glance(Tx tx, Project project, Schema schema, Row row) {
            this.tx = tx;
            this.project = project;
            this.schema = schema;
            this.row = row;
        }

        /** The value of an attribute that is a text. */
        public Optional<String> text(String attribute) {
            return schema.attribute(attribute).flatMap(this::text);
        }

        private Optional<String> text(Attribute attribute) {
            return Optional.of(Documents.value(row.document(), attribute))
                    .filter(JsonNode::isString)
                    .map(JsonNode::stringValue)
                    .filter(text -> !text.isBlank());
        }

        /** The first text, beside {@code except}, that is hidden from no member; otherwise the schema and the id. */
        public String title(String except) {
            var nobody = new Caller(row.createdBy(), false, new Caller.ByServer(), null);
            return sights.of(tx, new Access(nobody, project, Role.VIEWER), schema).shown().stream()
                    .filter(each -> each.type() == ValueType.TEXT && each.references() == null)
                    .filter(each -> !each.name().equals(except))
                    .flatMap(each -> text(each).stream())
                    .findFirst()
                    .orElseGet(() -> schema.name() + " " + row.id().toString().substring(0, 8));
        }

        /** Whether somebody is a member of the project, and its rules let them see the record. */
        public boolean isSeenBy(UserId user) {
            return projects.find(tx, project.id(), user)
                    .filter(access -> Records.sees(sights.of(tx, access, schema), row))
                    .isPresent();
        }
    }
}
