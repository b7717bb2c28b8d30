package io.hiroba.records.data;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.RecordsProblem;
import java.util.ArrayList;
import java.util.List;

/** All or nothing: turns what is wrong with single records of a request into what is wrong with the request. */
final class Batches {

    static final int MOST = 1000;

    private Batches() {}

    static void requireSize(int size) {
        if (size < 1 || size > MOST) {
            throw RecordsProblem.invalid("body", "must hold 1 to 1,000 records");
        }
    }

    /** Nothing is written if one of {@code items} is refused. */
    static void requireAll(List<Item> items, boolean single) {
        var fields = new ArrayList<FieldError>();
        var refused = new ArrayList<RecordsProblem>();
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).outcome() instanceof Outcome.Refused(var problem)) {
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
                : RecordsProblem.invalid("Some of the records cannot be written, so none was.", fields);
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
