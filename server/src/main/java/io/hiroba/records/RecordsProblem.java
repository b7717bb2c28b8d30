package io.hiroba.records;

import io.hiroba.platform.problem.Problem;
import java.util.List;

/** What can go wrong with projects, schemas and records. */
public final class RecordsProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private RecordsProblem(Kind kind, String code, String detail, List<FieldError> fields) {
        super(kind, "records." + code, detail, fields);
    }

    private RecordsProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, List.of());
    }

    public static RecordsProblem invalid(String field, String message) {
        return new RecordsProblem(
                Kind.INVALID, "invalid", "`%s` %s.".formatted(field, message), List.of(new FieldError(field, message)));
    }

    /** Something is wrong with several fields. */
    public static RecordsProblem invalid(String detail, List<FieldError> fields) {
        return new RecordsProblem(Kind.INVALID, "invalid", detail, fields);
    }

    /** Also for who is no member: whether there is such a project is not theirs to know. */
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

    /** Also for records that the schema's rules do not show. */
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
}
