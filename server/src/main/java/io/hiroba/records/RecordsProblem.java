package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.List;

/** The problems of projects, schemas and records. */
public final class RecordsProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private RecordsProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "records." + code, detail, fields);
    }

    private RecordsProblem(Kind kind, String code, Object... arguments) {
        this(kind, code, Text.of("records.problem." + code, arguments), List.of());
    }

    private static RecordsProblem ofFields(Kind kind, String code, List<FieldError> fields) {
        return new RecordsProblem(kind, code, Text.of("records.problem." + code), fields);
    }

    public static RecordsProblem invalid(String field, Text message) {
        return invalid(Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    /** Something is wrong with several fields. */
    public static RecordsProblem invalid(Text detail, List<FieldError> fields) {
        return new RecordsProblem(Kind.INVALID, "invalid", detail, fields);
    }

    /** Also for users who are not members: they must not learn that the project exists. */
    public static RecordsProblem noProject() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-project");
    }

    public static RecordsProblem noMember() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-member");
    }

    public static RecordsProblem noUser() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-user");
    }

    /** Also for files that the caller may not read. */
    static RecordsProblem noAttachment() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-attachment");
    }

    static RecordsProblem attachmentTooLarge(long bytes) {
        return new RecordsProblem(Kind.TOO_LARGE, "attachment-too-large", "size", bytes >> 20);
    }

    static RecordsProblem attachmentQuota(long gigabytes) {
        return new RecordsProblem(Kind.FORBIDDEN, "attachment-quota", "size", gigabytes);
    }

    public static RecordsProblem lastOwner() {
        return new RecordsProblem(Kind.CONFLICT, "last-owner");
    }

    public static RecordsProblem editorsOnly() {
        return new RecordsProblem(Kind.FORBIDDEN, "editors-only");
    }

    public static RecordsProblem ownersOnly() {
        return new RecordsProblem(Kind.FORBIDDEN, "owners-only");
    }

    /** The rules of the schema deny the caller's role such writes. */
    static RecordsProblem writeDenied(AccessRules.WriteKind kind) {
        return switch (kind) {
            case CREATE -> new RecordsProblem(Kind.FORBIDDEN, "create-denied");
            case UPDATE -> new RecordsProblem(Kind.FORBIDDEN, "update-denied");
            case DELETE -> new RecordsProblem(Kind.FORBIDDEN, "delete-denied");
        };
    }

    /** An owner who sees records as another writes nothing. */
    static RecordsProblem seenAsOnly() {
        return new RecordsProblem(Kind.FORBIDDEN, "seen-as");
    }

    public static RecordsProblem noSchema(String name) {
        return new RecordsProblem(Kind.NOT_FOUND, "no-schema", "name", name);
    }

    public static RecordsProblem noAttribute(String name) {
        return new RecordsProblem(Kind.NOT_FOUND, "no-attribute", "name", name);
    }

    /** Another attribute of the schema has the name. */
    static RecordsProblem attributeTaken(String name) {
        return new RecordsProblem(
                Kind.CONFLICT,
                "attribute-taken",
                Text.of("records.problem.attribute-taken", "name", name),
                List.of(new FieldError("name", Text.of("records.field.taken"))));
    }

    /** A rule for rows compares the attribute. */
    static RecordsProblem attributeInRules(String name) {
        return new RecordsProblem(Kind.CONFLICT, "attribute-in-rules", "name", name);
    }

    /** Computed attributes, named with these, come from it. */
    static RecordsProblem attributeNeeded(String name, List<String> computed) {
        return new RecordsProblem(
                Kind.CONFLICT, "attribute-needed", "name", name, "computed", String.join(", ", computed));
    }

    /** Something that a computed attribute comes from is not there any more. */
    static RecordsProblem inputGone(String name) {
        return new RecordsProblem(Kind.CONFLICT, "input-gone", "name", name);
    }

    /** What had the name before is still found by it, and the caller did not say that this may end. */
    static RecordsProblem nameKept(String name) {
        return new RecordsProblem(
                Kind.CONFLICT,
                "name-kept",
                Text.of("records.problem.name-kept", "name", name),
                List.of(new FieldError("name", Text.of("records.field.name-kept"))));
    }

    /** The type of an attribute of the schema is being changed. */
    static RecordsProblem retypeRunning() {
        return new RecordsProblem(Kind.CONFLICT, "retype-running");
    }

    static RecordsProblem noRetype() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-retype");
    }

    /** Its type was not changed, or too long ago. */
    static RecordsProblem retypeNotUndoable() {
        return new RecordsProblem(Kind.CONFLICT, "retype-not-undoable");
    }

    /** Also for records that the caller may not read. */
    public static RecordsProblem noRecord() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-record");
    }

    public static RecordsProblem noIndex() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-index");
    }

    public static RecordsProblem tooManyIndexes(int most) {
        return new RecordsProblem(Kind.CONFLICT, "too-many-indexes", "max", most);
    }

    /** Another record of the schema has the value already. */
    public static RecordsProblem notUnique(List<FieldError> fields) {
        return ofFields(Kind.CONFLICT, "not-unique", fields);
    }

    /** The referenced record does not exist, or the caller may not read it. */
    public static RecordsProblem noTarget(List<FieldError> fields) {
        return ofFields(Kind.CONFLICT, "no-target", fields);
    }

    public static RecordsProblem referenced() {
        return new RecordsProblem(Kind.CONFLICT, "referenced");
    }

    public static RecordsProblem otherVersion(int version) {
        return new RecordsProblem(Kind.PRECONDITION_FAILED, "other-version", "version", Integer.toString(version));
    }

    public static RecordsProblem nameTaken(List<String> names) {
        return new RecordsProblem(
                Kind.CONFLICT,
                "name-taken",
                Text.of("records.problem.name-taken", "names", String.join(", ", names)),
                List.of(new FieldError("name", Text.of("records.field.taken"))));
    }

    public static RecordsProblem tooManySchemas() {
        return new RecordsProblem(Kind.CONFLICT, "too-many-schemas");
    }

    /** Too many concurrent scans of many records. */
    public static RecordsProblem busy() {
        return new RecordsProblem(Kind.UNAVAILABLE, "busy");
    }

    public static RecordsProblem tooManyProjects(int most) {
        return new RecordsProblem(Kind.CONFLICT, "too-many-projects", "max", most);
    }

    /** The tables of a project to delete are in use. */
    public static RecordsProblem projectBusy() {
        return new RecordsProblem(Kind.CONFLICT, "project-busy");
    }

    /** Concurrent writers kept taking the same values. */
    static RecordsProblem bulkTooLarge(long bytes, long lines) {
        return new RecordsProblem(Kind.TOO_LARGE, "bulk-too-large", "size", bytes >> 20, "lines", lines);
    }

    static RecordsProblem bulkBusy() {
        return new RecordsProblem(Kind.UNAVAILABLE, "bulk-busy");
    }

    /** Of a line that is as it should be, in a batch that is written as a whole or not at all. */
    static RecordsProblem batchRefused() {
        return new RecordsProblem(Kind.CONFLICT, "batch-refused");
    }

    public static RecordsProblem contended() {
        return new RecordsProblem(Kind.CONFLICT, "contended");
    }

    /** The same for other fields. */
    public RecordsProblem with(List<FieldError> fields) {
        return new RecordsProblem(kind(), code().substring("records.".length()), detail(), fields);
    }

    /** Existing records might violate the changed schema. */
    public static RecordsProblem cannotEvolve(List<FieldError> fields) {
        return ofFields(Kind.CONFLICT, "cannot-evolve", fields);
    }

    /** Attributes of other schemas, named with these, refer to it. */
    public static RecordsProblem schemaReferenced(List<String> attributes) {
        return new RecordsProblem(
                Kind.CONFLICT,
                "schema-in-use",
                Text.of("records.problem.schema-referenced", "attributes", String.join(", ", attributes)),
                List.of());
    }

    /** Another schema has the name that a deleted one is to have again. */
    static RecordsProblem removedNameTaken(String name) {
        return new RecordsProblem(
                Kind.CONFLICT,
                "name-taken",
                Text.of("records.problem.removed-name-taken", "name", name),
                List.of(new FieldError("name", Text.of("records.field.taken"))));
    }

    /** What is to be restored goes with a schema that was deleted. */
    static RecordsProblem needsRemoved(String name, String schema) {
        return new RecordsProblem(Kind.CONFLICT, "needs-removed", "name", name, "schema", schema);
    }

    /** A keyword of JSON Schema that cannot be represented. */
    public static RecordsProblem notRepresentable(List<FieldError> fields) {
        return ofFields(Kind.INVALID, "cannot-keep", fields);
    }

    /** The records of the schema are not found in knowledge. */
    static RecordsProblem notInKnowledge() {
        return new RecordsProblem(Kind.NOT_FOUND, "not-in-knowledge");
    }

    /** Some members see only some of the records, and knowledge shows a reader all of them or none. */
    static RecordsProblem rowRulesInKnowledge() {
        return new RecordsProblem(Kind.CONFLICT, "row-rules-in-knowledge");
    }
}
