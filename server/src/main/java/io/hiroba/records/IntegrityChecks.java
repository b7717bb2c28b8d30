package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.AccessRules.WriteKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Checks the constraints of a schema across records: unique values and references. The database enforces them; this
 * finds out beforehand which field of which record would violate one.
 */
public final class IntegrityChecks {

    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final IntegrityStore store = new IntegrityStore();
    private final AttachmentStore attachments = new AttachmentStore();

    public IntegrityChecks(SchemaCatalog catalog, AccessResolver accessResolver) {
        this.catalog = catalog;
        this.accessResolver = accessResolver;
    }

    /** Whether the database's constraints are not enough: they know neither which records the caller may read nor who is a member. */
    public boolean requiresPrecheck(Tx tx, ProjectAccess access, Schema schema) {
        if (schema.attributes().stream()
                .anyMatch(each -> each.isFormatted(ValueFormat.Kind.PERSON) || each.isAttachments())) {
            return true;
        }
        return schema.attributes().stream()
                .map(SchemaAttribute::references)
                .anyMatch(target -> target != null
                        && !current(tx, access, schema, target)
                                .binding(access.role())
                                .showsAllRows());
    }

    /** The errors of each of {@code rows}, which are inserted by COPY; most have none. */
    public List<List<FieldError>> errors(Tx tx, ProjectAccess access, Schema schema, List<RecordRow> rows) {
        var items = rows.stream().map(RecordWrite::new).toList();
        check(tx, access, schema, items);
        return items.stream()
                .map(item -> item.outcome() instanceof WriteResult.Refused(var problem)
                        ? problem.fields()
                        : List.<FieldError>of())
                .toList();
    }

    /** All that is wrong with a new record: what its values are refused for, and what other records have to do with it. */
    RecordsProblem faults(Tx tx, ProjectAccess access, String name, JsonNode values) {
        var schema = catalog.current(tx, access.tables(), name);
        var draft = new RecordValidator(accessResolver.of(tx, access, schema).require(WriteKind.CREATE), List.of())
                .created(values);
        var item = new RecordWrite(
                new RecordRow(RowId.NONE, 1, access.user(), access.user(), Instant.EPOCH, draft.document()));
        check(tx, access, schema, List.of(item));
        var faults = new ArrayList<>(draft.errors());
        faults.addAll(item.faults());
        return RecordsProblem.invalid(Text.of("records.problem.record-invalid"), faults);
    }

    /** Refuses those of {@code items} that would violate a unique or reference constraint. */
    void check(Tx tx, ProjectAccess access, Schema schema, List<RecordWrite> items) {
        var recordAccess = accessResolver.of(tx, access, schema);
        boolean all;
        do {
            // A refused record neither frees its unique values nor can it be referred to.
            var good = items.stream().filter(RecordWrite::isGood).toList();
            checkUnique(tx, access, recordAccess, good);
            checkTargets(tx, access, recordAccess, good);
            checkPeople(tx, access, recordAccess, good);
            checkFiles(tx, access, recordAccess, good);
            all = good.stream().allMatch(RecordWrite::isGood);
        } while (!all);
    }

    /**
     * Takes values of removed attributes out of the document of a record that is restored, if they cannot be there any more:
     * nobody could change them.
     */
    void dropConflicts(Tx tx, ProjectTables tables, Schema schema, RowId id, ArrayNode document) {
        for (var removed : schema.removed()) {
            var attribute = removed.attribute();
            var value = Documents.value(document, attribute);
            if (value.isNull()) {
                continue;
            }
            boolean taken = attribute.unique()
                    && !store.taken(
                                    tx,
                                    tables,
                                    schema.id(),
                                    List.of(attribute.id()),
                                    List.of(key(attribute, value)),
                                    List.of(id))
                            .isEmpty();
            var target = attribute.references();
            if (taken) {
                document.set(attribute.place(), JsonNodeFactory.instance.nullNode());
            } else if (target != null) {
                document.set(attribute.place(), existing(tx, tables, target, id, value));
            }
        }
    }

    /** A reference, or those of a list, whose records are there; else none. */
    private JsonNode existing(Tx tx, ProjectTables tables, short target, RowId id, JsonNode value) {
        if (!value.isArray()) {
            return isThere(tx, tables, target, id, value) ? value : JsonNodeFactory.instance.nullNode();
        }
        var there = JsonNodeFactory.instance.arrayNode();
        value.valueStream()
                .filter(each -> isThere(tx, tables, target, id, each))
                .forEach(there::add);
        return there.isEmpty() ? JsonNodeFactory.instance.nullNode() : there;
    }

    private boolean isThere(Tx tx, ProjectTables tables, short target, RowId id, JsonNode value) {
        var row = UUID.fromString(value.stringValue());
        return row.equals(id.value()) || store.exists(tx, tables, target, row);
    }

    /** Refuses to delete those of {@code items} that others refer to. */
    void checkReferredTo(Tx tx, ProjectAccess access, Schema schema, List<RecordWrite> items) {
        boolean all;
        do {
            var good = items.stream().filter(RecordWrite::isGood).toList();
            var referred = store.referredTo(
                    tx,
                    access.tables(),
                    schema.id(),
                    good.stream().map(item -> item.row().id()).toList());
            good.stream()
                    .filter(item -> referred.contains(item.row().id().value()))
                    .forEach(item -> item.refuse(RecordsProblem.referenced()));
            all = referred.isEmpty();
        } while (!all);
    }

    private void checkUnique(Tx tx, ProjectAccess access, RecordAccess recordAccess, List<RecordWrite> items) {
        var attributes = recordAccess.schema().attributes().stream()
                .filter(SchemaAttribute::unique)
                .toList();
        var owners = new ArrayList<RecordWrite>();
        var fields = new ArrayList<SchemaAttribute>();
        var values = new ArrayList<String>();
        var seen = new HashSet<List<Object>>();
        for (var item : items) {
            for (var attribute : attributes) {
                var value = Documents.value(item.row().document(), attribute);
                if (value.isNull()) {
                    continue;
                }
                var text = key(attribute, value);
                if (!seen.add(List.of(attribute.id(), text))) {
                    item.refuse(notUnique(recordAccess, attribute, Text.of("records.field.unique-in-request")));
                }
                owners.add(item);
                fields.add(attribute);
                values.add(text);
            }
        }
        if (values.isEmpty()) {
            return;
        }
        var batch = items.stream().map(item -> item.row().id()).toList();
        var numbers = fields.stream().map(SchemaAttribute::id).toList();
        var taken = store.taken(tx, access.tables(), recordAccess.schema().id(), numbers, values, batch);
        for (int place : taken.stream().sorted().toList()) {
            owners.get(place).refuse(notUnique(recordAccess, fields.get(place), Text.of("records.field.unique-taken")));
        }
    }

    /** A value as the store of unique values knows it. */
    static String key(SchemaAttribute attribute, JsonNode value) {
        return attribute.type() == ValueType.TEXT
                ? value.stringValue()
                : value.decimalValue().stripTrailingZeros().toPlainString();
    }

    private static RecordsProblem notUnique(RecordAccess recordAccess, SchemaAttribute attribute, Text message) {
        return RecordsProblem.notUnique(List.of(new FieldError(name(recordAccess, attribute), message)));
    }

    private void checkTargets(Tx tx, ProjectAccess access, RecordAccess recordAccess, List<RecordWrite> items) {
        var batch = new HashSet<UUID>();
        items.forEach(item -> batch.add(item.row().id().value()));
        for (var attribute : recordAccess.schema().attributes()) {
            var target = attribute.references();
            if (target == null) {
                continue;
            }
            var references = new HashMap<RecordWrite, List<UUID>>();
            for (var item : items) {
                // An unchanged value was valid when it was written, whoever may read its target.
                var added = item.added(attribute).stream()
                        .map(UUID::fromString)
                        .filter(id -> target != recordAccess.schema().id() || !batch.contains(id))
                        .toList();
                if (!added.isEmpty()) {
                    references.put(item, added);
                }
            }
            refuseUnreadable(tx, access, recordAccess, attribute, target, references);
        }
    }

    private Schema current(Tx tx, ProjectAccess access, Schema schema, short target) {
        return target == schema.id() ? schema : catalog.current(tx, access.tables(), target);
    }

    private void refuseUnreadable(
            Tx tx,
            ProjectAccess access,
            RecordAccess recordAccess,
            SchemaAttribute attribute,
            short target,
            Map<RecordWrite, List<UUID>> references) {
        if (references.isEmpty()) {
            return;
        }
        var schema = current(tx, access, recordAccess.schema(), target);
        // A value that the caller may not write is an old one and only has to exist.
        var existing = recordAccess.canWrite(attribute)
                ? accessResolver.of(tx, access, schema)
                : new RecordAccess(schema, AccessRules.NONE, access.user(), null);
        var seen = store.seen(
                tx,
                access.tables(),
                existing,
                references.values().stream().flatMap(List::stream).distinct().toList());
        references.forEach((item, ids) -> {
            if (!seen.containsAll(ids)) {
                item.refuse(RecordsProblem.noTarget(List.of(new FieldError(
                        name(recordAccess, attribute), Text.of("records.field.no-target", "schema", schema.name())))));
            }
        });
    }

    /** Whoever is put into a record is a member; who was one and is no more may stay. */
    private void checkPeople(Tx tx, ProjectAccess access, RecordAccess recordAccess, List<RecordWrite> items) {
        for (var attribute : recordAccess.schema().attributes()) {
            if (!attribute.isFormatted(ValueFormat.Kind.PERSON)) {
                continue;
            }
            var people = new HashMap<RecordWrite, List<UserId>>();
            for (var item : items) {
                var added = item.added(attribute).stream().map(UserId::parse).toList();
                if (!added.isEmpty() && !item.isRestored()) {
                    people.put(item, added);
                }
            }
            if (people.isEmpty()) {
                continue;
            }
            var members = store.members(
                    tx,
                    access.project().id(),
                    people.values().stream().flatMap(List::stream).distinct().toList());
            people.forEach((item, added) -> {
                if (!members.containsAll(added)) {
                    item.refuse(RecordsProblem.invalid(
                            Text.of("records.problem.record-invalid"),
                            List.of(new FieldError(
                                    name(recordAccess, attribute), Text.of("records.field.no-member")))));
                }
            });
        }
    }

    /** A file is put into a value by its uploader, and stays with that value. It is described in the document. */
    private void checkFiles(Tx tx, ProjectAccess access, RecordAccess recordAccess, List<RecordWrite> items) {
        short schema = recordAccess.schema().id();
        for (var attribute : recordAccess.schema().attributes()) {
            if (!attribute.isAttachments()) {
                continue;
            }
            var ids = items.stream()
                    .flatMap(item -> item.addedFiles(attribute).stream())
                    .distinct()
                    .toList();
            var files = ids.isEmpty()
                    ? Map.<Long, AttachmentStore.Attachment>of()
                    : attachments.lock(tx, access.project().id(), ids);
            var taken = new HashSet<Long>();
            for (var item : items) {
                var row = item.row().id().value();
                var usable = item.addedFiles(attribute).stream()
                        .map(files::get)
                        .filter(Objects::nonNull)
                        .filter(file -> file.isIn(schema, attribute.id(), row)
                                || (file.row() == null
                                        && file.createdBy().equals(access.user())
                                        && taken.add(file.id())))
                        .toList();
                item.describeFiles(attribute, usable);
                if (usable.size() < item.addedFiles(attribute).size()) {
                    item.refuse(RecordsProblem.invalid(
                            Text.of("records.problem.record-invalid"),
                            List.of(new FieldError(name(recordAccess, attribute), Text.of("records.field.no-file")))));
                }
            }
        }
    }

    /** Gives the values that are about to be written the files that were put into them. */
    void attach(Tx tx, Schema schema, List<RecordWrite> items, Instant checkAt) {
        for (var attribute : schema.attributes()) {
            if (attribute.isAttachments()) {
                for (var item : items.stream().filter(RecordWrite::isGood).toList()) {
                    var added = item.addedFiles(attribute);
                    if (!added.isEmpty()) {
                        attachments.attach(
                                tx, schema.id(), attribute.id(), item.row().id().value(), added, checkAt);
                    }
                }
            }
        }
    }

    /** The name of a hidden attribute is not disclosed: the error is reported for the whole record. */
    private static String name(RecordAccess recordAccess, SchemaAttribute attribute) {
        return recordAccess.canRead(attribute) ? attribute.name() : "";
    }
}
