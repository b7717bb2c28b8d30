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

    /** For codes with more than one text. */
    public KnowledgeProblem(Kind kind, String code, Text detail) {
        this(kind, code, detail, List.of());
    }

    /** For codes of a single package. */
    public KnowledgeProblem(Kind kind, String code, Object... arguments) {
        this(kind, code, Text.of("knowledge.problem." + code, arguments));
    }

    public static KnowledgeProblem invalid(String field, Text message) {
        return new KnowledgeProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    /** Also for callers who may not read it: they must not learn that it exists. */
    public static KnowledgeProblem noSource() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-source");
    }

    public static KnowledgeProblem tooLarge(ByteSize limit) {
        return new KnowledgeProblem(Kind.TOO_LARGE, "too-large", "size", limit.bytes() / 1048576.0);
    }

    public static KnowledgeProblem nothingToRead() {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "nothing-to-read");
    }

    /** For documents with too many blocks. */
    public static KnowledgeProblem tooManyBlocks() {
        return new KnowledgeProblem(Kind.TOO_LARGE, "too-many-chunks", Text.of("knowledge.problem.too-many-blocks"));
    }

    /** For documents of a known type that cannot be parsed. */
    public static KnowledgeProblem unreadable(Text why) {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "unreadable", why);
    }

    public static KnowledgeProblem notYours() {
        return new KnowledgeProblem(Kind.FORBIDDEN, "not-yours");
    }

    /** Also for callers who may not read it. */
    public static KnowledgeProblem noSession() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-session");
    }

    public static KnowledgeProblem noMessage() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-message");
    }

    /** An answer may quote what only the caller may read. */
    public static KnowledgeProblem sessionPublic() {
        return new KnowledgeProblem(Kind.CONFLICT, "session-public");
    }

    /** Also for callers who may not read it. */
    public static KnowledgeProblem noConversation() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-conversation");
    }

    public static KnowledgeProblem versionConflict(int current) {
        var version = Integer.toString(current);
        return new KnowledgeProblem(
                Kind.CONFLICT,
                "version-conflict",
                Text.of("knowledge.problem.version-conflict", "version", version),
                List.of(new FieldError("If-Match", Text.of("knowledge.field.version", "version", version))));
    }
}
