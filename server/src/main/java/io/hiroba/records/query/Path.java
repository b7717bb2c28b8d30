package io.hiroba.records.query;

import io.hiroba.records.RecordsProblem;
import io.hiroba.records.schema.Attribute;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a value is found: in the record, or in the one that {@code reference} refers to.
 *
 * @param attribute of the record, or of the one referred to
 */
record Path(@Nullable Attribute reference, Attribute attribute) {

    static Path of(View view, Function<Attribute, View> targets, String at, String text) {
        int point = text.indexOf('.');
        if (point < 0) {
            return new Path(null, view.require(at, text));
        }
        var reference = view.require(at, text.substring(0, point));
        if (reference.references() == null) {
            throw RecordsProblem.invalid(at, "names `%s`, but `%s` is no reference".formatted(text, reference.name()));
        }
        return new Path(reference, targets.apply(reference).require(at, text.substring(point + 1)));
    }
}
