package io.hiroba.knowledge;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.util.List;

/** A problem of the knowledge feature. */
public final class KnowledgeProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private KnowledgeProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "knowledge." + code, detail, fields);
    }

    private KnowledgeProblem(Kind kind, String code, String detail, List<FieldError> fields) {
        super(kind, "knowledge." + code, detail, fields);
    }

    /** For codes of a single package. */
    public KnowledgeProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, List.of());
    }

    public static KnowledgeProblem invalid(String field, Text message) {
        return new KnowledgeProblem(Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    public static KnowledgeProblem invalid(String field, String message) {
        return invalid(field, Text.verbatim(message));
    }

    /** Also for callers who may not read it: they must not learn that it exists. */
    public static KnowledgeProblem noSource() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-source", "The source does not exist, or you cannot read it.");
    }

    public static KnowledgeProblem tooLarge(ByteSize limit) {
        return new KnowledgeProblem(
                Kind.TOO_LARGE,
                "too-large",
                "The source is larger than %,.1f MB.".formatted(limit.bytes() / 1048576.0));
    }

    public static KnowledgeProblem nothingToRead() {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "nothing-to-read", "It contains no text.");
    }

    /** For documents with too many blocks. */
    public static KnowledgeProblem tooManyBlocks() {
        return new KnowledgeProblem(
                Kind.TOO_LARGE, "too-many-chunks", "It has too many parts. Split it into several sources.");
    }

    /** For documents of a known type that cannot be parsed. */
    public static KnowledgeProblem unreadable(String why) {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "unreadable", why);
    }

    public static KnowledgeProblem notYours() {
        return new KnowledgeProblem(Kind.FORBIDDEN, "not-yours", "Only the owner can change it.");
    }

    /** Also for callers who may not read it. */
    public static KnowledgeProblem noSession() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-session", "The session does not exist, or you cannot read it.");
    }

    /** An answer may quote what only the caller may read. */
    public static KnowledgeProblem sessionPublic() {
        return new KnowledgeProblem(
                Kind.CONFLICT,
                "session-public",
                "The session is public, and the answer may quote private sources. Make the session private first.");
    }

    public static KnowledgeProblem versionConflict(int current) {
        return new KnowledgeProblem(
                Kind.CONFLICT,
                "version-conflict",
                "The session has changed: its version is %d.".formatted(current),
                List.of(new FieldError("If-Match", "must be \"%d\"".formatted(current))));
    }
}
