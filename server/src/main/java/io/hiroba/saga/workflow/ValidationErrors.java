package io.hiroba.saga.workflow;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.saga.SagaProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is wrong with a workflow as it is written, so that all of it can be told at once. */
final class ValidationErrors {

    private static final int MOST = 20;
    private static final int LONGEST_PATH = 200;

    private final List<Mistake> found = new ArrayList<>();

    private record Mistake(SourcePosition place, String path, String reason) {

        String text() {
            return path.isEmpty() ? "%s: %s".formatted(place, reason) : "%s: `%s` %s".formatted(place, path, reason);
        }

        FieldError field() {
            return new FieldError(path, "%s: %s".formatted(place, reason));
        }
    }

    /** What a text that cannot be taken apart is answered with. */
    static SagaProblem unreadable(SourcePosition place, String reason) {
        var mistakes = new ValidationErrors();
        mistakes.add(place, "", reason);
        return mistakes.problem();
    }

    /** Remembers that {@code path} at {@code place} is wrong; an empty path means the whole. */
    void add(SourcePosition place, String path, String reason) {
        found.add(new Mistake(place, Scalars.cut(path, LONGEST_PATH), reason));
    }

    /** Throws if anything is wrong. */
    void check() {
        if (!found.isEmpty()) {
            throw problem();
        }
    }

    private SagaProblem problem() {
        var first = found.stream()
                .sorted(Comparator.comparing(Mistake::place))
                .limit(MOST)
                .toList();
        var more = found.size() == 1 ? "" : " (and %d more)".formatted(found.size() - 1);
        return SagaProblem.badWorkflow(
                "The workflow cannot be used: %s%s.".formatted(first.getFirst().text(), more),
                first.stream().map(Mistake::field).toList());
    }
}
