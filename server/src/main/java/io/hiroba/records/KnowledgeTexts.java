package io.hiroba.records;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.KnowledgeTextStore.ChoiceRow;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the schemas whose records are found in knowledge as well, and the attributes that their texts are made of. Owners choose, and
 * only what every member may read: all records, and attributes that no rule hides. Rules that come later are obeyed by the database.
 */
public final class KnowledgeTexts {

    private static final int MAX_ATTRIBUTES = 100;

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final AuditLog audit;
    private final SchemaStore schemas = new SchemaStore();
    private final KnowledgeTextStore store = new KnowledgeTextStore();

    public KnowledgeTexts(Db db, IdGenerator ids, InstantSource clock) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.audit = new AuditLog(db);
    }

    /**
     * A schema whose records are found in knowledge.
     *
     * @param attributes those that the texts are made of and that are there
     * @param readers the roles whose members find the records, by the rules of now
     */
    public record ChosenTexts(
            Schema schema, List<SchemaAttribute> attributes, Set<ProjectRole> readers, Instant since) {

        public ChosenTexts {
            attributes = List.copyOf(attributes);
            readers = Set.copyOf(readers);
        }
    }

    /** The choice for a schema, for owners; empty if its records are not found in knowledge. */
    public Optional<ChosenTexts> find(ProjectAccess access, String name) {
        access.requireOwner();
        return db.read(reads -> {
            var schema = schemas.find(reads, access.tables(), name).orElseThrow(() -> RecordsProblem.noSchema(name));
            return chosen(reads, access, schema);
        });
    }

    /** The same; a problem if there is none. */
    ChosenTexts get(ProjectAccess access, String name) {
        return find(access, name).orElseThrow(RecordsProblem::notInKnowledge);
    }

    private Optional<ChosenTexts> chosen(Reads reads, ProjectAccess access, Schema schema) {
        return store.find(reads, access.project().id(), schema.id()).map(row -> {
            var attributes = row.attributesOf(schema);
            var readers = EnumSet.noneOf(ProjectRole.class);
            for (var role : ProjectRole.values()) {
                var rules = schema.binding(role);
                if (attributes.size() == row.attributes().size()
                        && attributes.stream().noneMatch(schema::isComputed)
                        && rules.showsAllRows()
                        && attributes.stream().noneMatch(each -> rules.hidden().contains(each.name()))) {
                    readers.add(role);
                }
            }
            return new ChosenTexts(schema, attributes, readers, row.createdAt());
        });
    }

    /** The attributes that texts can be made of and that no rule hides from a member. */
    public static List<SchemaAttribute> eligible(Schema schema) {
        return schema.attributes().stream()
                .filter(each ->
                        RecordTexts.isText(schema, each) && !schema.rules().everHide(each.name()))
                .toList();
    }

    /** Has the records of a schema found in knowledge by the values of {@code names}, in place of those chosen before. */
    public ChosenTexts choose(ProjectAccess access, String name, List<String> names) {
        access.requireOwner();
        return db.inTransaction(tx -> {
            var schema = locked(tx, access, name);
            if (!schema.rules().showAllRowsToEverybody()) {
                throw RecordsProblem.rowRulesInKnowledge();
            }
            var attributes = attributes(schema, names);
            var choice = new ChoiceRow(schema.id(), attributes, clock.instant());
            var before = store.find(tx, access.project().id(), schema.id());
            if (before.filter(row -> row.attributes().equals(choice.attributes()))
                    .isEmpty()) {
                store.choose(tx, ids.next(), access.tables(), choice);
                record(
                        tx,
                        access,
                        schema,
                        before.map(row -> row.attributesOf(schema)).orElse(List.of()),
                        attributes);
            }
            return chosen(tx, access, schema).orElseThrow();
        });
    }

    /** Has the records of a schema no longer found in knowledge. */
    public void end(ProjectAccess access, String name) {
        access.requireOwner();
        db.useTransaction(tx -> {
            var schema = locked(tx, access, name);
            var before = chosen(tx, access, schema).orElseThrow(RecordsProblem::notInKnowledge);
            store.delete(tx, access.project().id(), schema.id());
            record(tx, access, schema, before.attributes(), List.of());
        });
    }

    /** Locks the schema, so that its rules stay until {@code tx} ends. */
    private Schema locked(Tx tx, ProjectAccess access, String name) {
        schemas.lockNames(tx, access.tables());
        var schema = schemas.find(tx, access.tables(), name).orElseThrow(() -> RecordsProblem.noSchema(name));
        schemas.lock(tx, access.tables(), schema.id());
        return schema;
    }

    private static List<SchemaAttribute> attributes(Schema schema, List<String> names) {
        if (names.isEmpty() || names.size() > MAX_ATTRIBUTES) {
            throw RecordsProblem.invalid(
                    "attributes", Text.of("records.field.knowledge-attributes", "max", MAX_ATTRIBUTES));
        }
        var errors = new ArrayList<FieldError>();
        var chosen = new ArrayList<SchemaAttribute>();
        for (int i = 0; i < names.size(); i++) {
            var attribute = schema.attribute(names.get(i));
            var field = "attributes[%d]".formatted(i);
            if (attribute.isEmpty()) {
                errors.add(new FieldError(field, Text.of("records.field.names-no-attribute", "name", names.get(i))));
            } else if (!RecordTexts.isText(schema, attribute.get())) {
                errors.add(new FieldError(field, Text.of("records.field.knowledge-no-text")));
            } else if (schema.rules().everHide(attribute.get().name())) {
                errors.add(new FieldError(field, Text.of("records.field.knowledge-hidden")));
            } else if (!chosen.contains(attribute.get())) {
                chosen.add(attribute.get());
            }
        }
        if (!errors.isEmpty()) {
            throw RecordsProblem.invalid(Text.of("records.problem.knowledge-attributes-invalid"), errors);
        }
        return chosen;
    }

    private void record(
            Tx tx, ProjectAccess access, Schema schema, List<SchemaAttribute> before, List<SchemaAttribute> after) {
        var project = access.project();
        var target =
                Target.of(TargetKind.SCHEMA, project.id().hex() + "/" + schema.id(), schema.name(), project.client());
        var changes = Changes.NONE.with(
                "attributes",
                before.stream().map(SchemaAttribute::name).toList(),
                after.stream().map(SchemaAttribute::name).toList());
        audit.record(tx, access.caller(), AuditLog.Action.SCHEMA_TEXTS_SET, target, changes);
    }
}
