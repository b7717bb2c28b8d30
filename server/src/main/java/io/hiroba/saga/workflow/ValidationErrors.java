package io.hiroba.saga.workflow;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.saga.SagaProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the errors of a workflow, so that all are reported at once. */
final class ValidationErrors {

    private static final int MAX_REPORTED = 20;
    private static final int MAX_PATH_LENGTH = 200;

    private final List<Entry> found = new ArrayList<>();

    private record Entry(SourcePosition position, String path, String reason) {

        String text() {
            return path.isEmpty()
                    ? "%s: %s".formatted(position, reason)
                    : "%s: `%s` %s".formatted(position, path, reason);
        }

        FieldError field() {
            return new FieldError(path, "%s: %s".formatted(position, reason));
        }
    }

    /** The problem of a text that cannot be parsed. */
    static SagaProblem unreadable(SourcePosition position, String reason) {
        var errors = new ValidationErrors();
        errors.add(position, "", reason);
        return errors.problem();
    }

    /** Adds an error of {@code path} at {@code position}; an empty path means the whole text. */
    void add(SourcePosition position, String path, String reason) {
        found.add(new Entry(position, Scalars.truncate(path, MAX_PATH_LENGTH), reason));
    }

    /** Throws if there are errors. */
    void check() {
        if (!found.isEmpty()) {
            throw problem();
        }
    }

    private SagaProblem problem() {
        var first = found.stream()
                .sorted(Comparator.comparing(Entry::position))
                .limit(MAX_REPORTED)
                .toList();
        var more = found.size() == 1 ? "" : " (and %d more)".formatted(found.size() - 1);
        return SagaProblem.badWorkflow(
                "The workflow is not valid: %s%s.".formatted(first.getFirst().text(), more),
                first.stream().map(Entry::field).toList());
    }
}
