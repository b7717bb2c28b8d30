package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** The limits of a batch, and the problem of an atomic one of which some records are refused. */
final class RecordBatch {

    static final int MAX_SIZE = 1000;

    private RecordBatch() {}

    static void requireSize(int size) {
        if (size < 1 || size > MAX_SIZE) {
            throw RecordsProblem.invalid("body", Text.of("records.field.batch-size"));
        }
    }

    static void requireOnce(List<RowId> rows) {
        if (new HashSet<>(rows).size() < rows.size()) {
            throw RecordsProblem.invalid("body", Text.of("records.field.record-twice"));
        }
    }

    /** Throws if one of {@code items} is refused, so that nothing is written. */
    static void requireAll(List<WriteResult> items, boolean single) {
        var fields = new ArrayList<FieldError>();
        var refused = new ArrayList<RecordsProblem>();
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof WriteResult.Refused(var problem)) {
                refused.add(problem);
                fields.addAll(fields(problem, single ? "" : "[%d]".formatted(i)));
            }
        }
        if (refused.isEmpty()) {
            return;
        }
        boolean alike = refused.stream().map(RecordsProblem::code).distinct().count() == 1;
        throw alike
                ? refused.getFirst().with(fields)
                : RecordsProblem.invalid(Text.of("records.problem.records-invalid"), fields);
    }

    private static List<FieldError> fields(RecordsProblem problem, String item) {
        if (problem.fields().isEmpty()) {
            return item.isEmpty() ? List.of() : List.of(new FieldError(item, problem.detail()));
        }
        return problem.fields().stream()
                .map(error -> new FieldError(name(item, error.field()), error.message()))
                .toList();
    }

    private static String name(String item, String field) {
        if (field.isEmpty()) {
            return item.isEmpty() ? "body" : item;
        }
        return item.isEmpty() ? field : item + "." + field;
    }
}
