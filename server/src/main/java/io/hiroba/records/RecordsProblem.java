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

    private RecordsProblem(Kind kind, String code, String detail, List<FieldError> fields) {
        super(kind, "records." + code, detail, fields);
    }

    private RecordsProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, List.of());
    }

    public static RecordsProblem invalid(String field, Text message) {
        return new RecordsProblem(Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    public static RecordsProblem invalid(String field, String message) {
        return invalid(field, Text.verbatim(message));
    }

    /** Something is wrong with several fields. */
    public static RecordsProblem invalid(String detail, List<FieldError> fields) {
        return new RecordsProblem(Kind.INVALID, "invalid", detail, fields);
    }

    /** Also for users who are not members: they must not learn that the project exists. */
    public static RecordsProblem noProject() {
        return new RecordsProblem(
                Kind.NOT_FOUND, "no-project", "There is no such project, or you are no member of it.");
    }

    public static RecordsProblem noMember() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-member", "This user is no member of the project.");
    }

    public static RecordsProblem noUser() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-user", "There is no such user.");
    }

    public static RecordsProblem lastOwner() {
        return new RecordsProblem(
                Kind.CONFLICT, "last-owner", "A project needs an owner: make somebody else one first, or delete it.");
    }

    public static RecordsProblem editorsOnly() {
        return new RecordsProblem(
                Kind.FORBIDDEN,
                "editors-only",
                "This is for editors and owners of the project: ask an owner for the role.");
    }

    public static RecordsProblem ownersOnly() {
        return new RecordsProblem(Kind.FORBIDDEN, "owners-only", "This is for owners of the project.");
    }

    public static RecordsProblem noSchema(String name) {
        return new RecordsProblem(
                Kind.NOT_FOUND, "no-schema", "There is no schema `%s` in this project.".formatted(name));
    }

    /** Also for records that the caller may not read. */
    public static RecordsProblem noRecord() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-record", "There is no such record.");
    }

    public static RecordsProblem noIndex() {
        return new RecordsProblem(Kind.NOT_FOUND, "no-index", "There is no such index in this project.");
    }

    public static RecordsProblem tooManyIndexes(int most) {
        return new RecordsProblem(
                Kind.CONFLICT,
                "too-many-indexes",
                "A schema has at most %d indexes of its own, since each slows writing down: drop one first."
                        .formatted(most));
    }

    /** Another record of the schema has the value already. */
    public static RecordsProblem notUnique(List<FieldError> fields) {
        return new RecordsProblem(
                Kind.CONFLICT, "not-unique", "Another record has this value already, and it must be unique.", fields);
    }

    /** The referenced record does not exist, or the caller may not read it. */
    public static RecordsProblem noTarget(List<FieldError> fields) {
        return new RecordsProblem(Kind.CONFLICT, "no-target", "The referenced record does not exist.", fields);
    }

    public static RecordsProblem referenced() {
        return new RecordsProblem(
                Kind.CONFLICT, "referenced", "Other records refer to this one: change or delete them first.");
    }

    public static RecordsProblem otherVersion(int version) {
        return new RecordsProblem(
                Kind.PRECONDITION_FAILED,
                "other-version",
                "The record was changed in the meantime: it is at version %d now.".formatted(version));
    }

    public static RecordsProblem nameTaken(List<String> names) {
        return new RecordsProblem(
                Kind.CONFLICT,
                "name-taken",
                "The project has a schema of this name or alias: %s.".formatted(String.join(", ", names)),
                List.of(new FieldError("name", "is taken")));
    }

    public static RecordsProblem tooManySchemas() {
        return new RecordsProblem(Kind.CONFLICT, "too-many-schemas", "A project has at most 1,000 schemas.");
    }

    /** Too many concurrent scans of many records. */
    public static RecordsProblem busy() {
        return new RecordsProblem(
                Kind.UNAVAILABLE, "busy", "Too many counts and aggregations are running: try again in a moment.");
    }

    public static RecordsProblem tooManyProjects(int most) {
        return new RecordsProblem(
                Kind.CONFLICT,
                "too-many-projects",
                "You own %d projects, which is the limit: delete one, or transfer one.".formatted(most));
    }

    /** The tables of a project to delete are in use. */
    public static RecordsProblem projectBusy() {
        return new RecordsProblem(
                Kind.CONFLICT,
                "project-busy",
                "The project is in use, for example by an import, an export or an index build: try again soon.");
    }

    /** Concurrent writers kept taking the same values. */
    public static RecordsProblem contended() {
        return new RecordsProblem(Kind.CONFLICT, "contended", "Others are writing the same values: try again.");
    }

    /** The same for other fields. */
    public RecordsProblem with(List<FieldError> fields) {
        return new RecordsProblem(kind(), code().substring("records.".length()), detail(), fields);
    }

    /** Existing records might violate the changed schema. */
    public static RecordsProblem cannotEvolve(List<FieldError> fields) {
        return new RecordsProblem(
                Kind.CONFLICT,
                "cannot-evolve",
                "The schema cannot change like that: existing records might become invalid.",
                fields);
    }

    public static RecordsProblem schemaInUse(String why) {
        return new RecordsProblem(Kind.CONFLICT, "schema-in-use", "The schema cannot be deleted. " + why);
    }

    /** A keyword of JSON Schema that cannot be represented. */
    public static RecordsProblem notRepresentable(List<FieldError> fields) {
        return new RecordsProblem(
                Kind.INVALID, "cannot-keep", "The JSON Schema has parts that are not supported.", fields);
    }
}
