package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaProblem.DefinitionError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the errors of a workflow, so that all are reported at once. */
final class ValidationErrors {

    private static final int MAX_REPORTED = 20;
    private static final int MAX_PATH_LENGTH = 200;
    private static final Comparator<DefinitionError> BY_POSITION =
            Comparator.comparingInt(DefinitionError::line).thenComparingInt(DefinitionError::column);

    private final List<DefinitionError> found = new ArrayList<>();

    /** The problem of a text that cannot be parsed. */
    static SagaProblem unreadable(SourcePosition position, Text reason) {
        var errors = new ValidationErrors();
        errors.add(position, "", reason);
        return errors.problem();
    }

    /** Adds an error of {@code path} at {@code position}; an empty path means the whole text. */
    void add(SourcePosition position, String path, Text reason) {
        found.add(new DefinitionError(
                position.line(), position.column(), Scalars.truncate(path, MAX_PATH_LENGTH), reason));
    }

    /** Throws if there are errors. */
    void check() {
        if (!found.isEmpty()) {
            throw problem();
        }
    }

    private SagaProblem problem() {
        var first = found.stream().sorted(BY_POSITION).limit(MAX_REPORTED).toList();
        return SagaProblem.badWorkflow(first, found.size());
    }
}
