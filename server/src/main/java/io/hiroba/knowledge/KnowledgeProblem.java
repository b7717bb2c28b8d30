package io.hiroba.knowledge;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.problem.Problem;
import java.util.List;

/** What can go wrong with knowledge. */
public final class KnowledgeProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private KnowledgeProblem(Kind kind, String code, String detail, List<FieldError> fields) {
        super(kind, "knowledge." + code, detail, fields);
    }

    /** For what a part of the feature refuses with a code of its own. */
    public KnowledgeProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, List.of());
    }

    public static KnowledgeProblem invalid(String field, String message) {
        return new KnowledgeProblem(
                Kind.INVALID, "invalid", "`%s` %s.".formatted(field, message), List.of(new FieldError(field, message)));
    }

    /** Also for who may not read it: whether there is such a source is not theirs to know. */
    public static KnowledgeProblem noSource() {
        return new KnowledgeProblem(
                Kind.NOT_FOUND, "no-source", "There is no such source, or it is not yours to read.");
    }

    public static KnowledgeProblem tooLarge(ByteSize limit) {
        return new KnowledgeProblem(
                Kind.TOO_LARGE,
                "too-large",
                "A source may not be larger than %,.1f MB.".formatted(limit.bytes() / 1048576.0));
    }

    public static KnowledgeProblem nothingToRead() {
        return new KnowledgeProblem(
                Kind.UNPROCESSABLE, "nothing-to-read", "There is no text in it, so there is nothing to find.");
    }

    /** For what is not large, but consists of more parts than anybody could find something in. */
    public static KnowledgeProblem tooManyPieces() {
        return new KnowledgeProblem(
                Kind.TOO_LARGE, "too-many-chunks", "It falls into more pieces than can be read. Hand it in in parts.");
    }

    /** For what was recognised but cannot be read. */
    public static KnowledgeProblem unreadable(String why) {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "unreadable", why);
    }

    public static KnowledgeProblem notYours() {
        return new KnowledgeProblem(Kind.FORBIDDEN, "not-yours", "Only its owner may change it.");
    }

    /** Also for who may not read it. */
    public static KnowledgeProblem noSession() {
        return new KnowledgeProblem(
                Kind.NOT_FOUND, "no-session", "There is no such session, or it is not yours to read.");
    }

    /** An answer may quote what only the asker may read; all who read the session would read it there. */
    public static KnowledgeProblem sessionPublic() {
        return new KnowledgeProblem(
                Kind.CONFLICT,
                "session-public",
                "The answer would show everybody who reads this session what only you may read; make it private first.");
    }

    public static KnowledgeProblem versionConflict(int current) {
        return new KnowledgeProblem(
                Kind.CONFLICT,
                "version-conflict",
                "The session has changed in the meantime: it is at version %d.".formatted(current),
                List.of(new FieldError("If-Match", "would have to be \"%d\"".formatted(current))));
    }
}
