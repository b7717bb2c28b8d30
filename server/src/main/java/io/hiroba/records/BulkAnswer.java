package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.platform.http.ProblemAnswer.FieldFault;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.problem.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a batch: what became of its lines, in their order. */
record BulkAnswer(int created, int updated, int deleted, int refused, List<LineView> lines) {

    static final BulkAnswer NOTHING = new BulkAnswer(0, 0, 0, 0, List.of());

    /** The answer to a line: the id and version of the record that was written, or the problem as of a request of its own. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record LineView(
            long line,
            @Nullable String key,
            int status,
            @Nullable String id,
            @Nullable Integer version,
            @Nullable String code,
            @Nullable String detail,
            @Nullable List<FieldFault> errors) {}

    /**
     * A line and what became of it.
     *
     * @param result not of a line that cannot be read
     */
    record Outcome(
            BulkLine line,
            boolean created,
            @Nullable WriteResult result,
            @Nullable Problem problem) {

        static Outcome of(BulkLine line, boolean created, WriteResult result) {
            return result instanceof WriteResult.Refused(var problem)
                    ? refused(line, problem)
                    : new Outcome(line, created, result, null);
        }

        static Outcome refused(BulkLine line, Problem problem) {
            return new Outcome(line, false, null, problem);
        }

        boolean isRefused() {
            return problem != null;
        }

        private LineView view(Language language) {
            if (result instanceof WriteResult.Written(var row)) {
                return new LineView(
                        line.number(),
                        line.key(),
                        created ? 201 : 200,
                        row.id().toString(),
                        row.version(),
                        null,
                        null,
                        null);
            }
            var reason = problem == null ? RecordsProblem.batchRefused() : problem;
            var faults = reason.fields().stream()
                    .map(error -> new FieldFault(
                            error.field().isEmpty() ? "body" : error.field(),
                            error.message().in(language)))
                    .toList();
            return new LineView(
                    line.number(),
                    line.key(),
                    reason.kind().status(),
                    null,
                    null,
                    reason.code(),
                    reason.detail().in(language),
                    faults.isEmpty() ? null : faults);
        }
    }

    static BulkAnswer of(List<Outcome> outcomes, Language language) {
        int created = 0;
        int deleted = 0;
        int refused = 0;
        for (var each : outcomes) {
            if (each.isRefused()) {
                refused++;
            } else if (each.created()) {
                created++;
            } else if (each.line().operation() == BulkLine.Operation.DELETE) {
                deleted++;
            }
        }
        return new BulkAnswer(
                created,
                outcomes.size() - created - deleted - refused,
                deleted,
                refused,
                outcomes.stream().map(each -> each.view(language)).toList());
    }

    /** The sums of both, without lines. */
    BulkAnswer plus(BulkAnswer other) {
        return new BulkAnswer(
                created + other.created,
                updated + other.updated,
                deleted + other.deleted,
                refused + other.refused,
                List.of());
    }
}
