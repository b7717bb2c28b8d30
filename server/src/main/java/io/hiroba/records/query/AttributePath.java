package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The path to a value: in the record, or in the one that {@code reference} refers to.
 *
 * @param attribute of the record, or of the referenced one
 */
record AttributePath(@Nullable SchemaAttribute reference, SchemaAttribute attribute) {

    static AttributePath of(
            ReadableSchema view, Function<SchemaAttribute, ReadableSchema> targets, String at, String text) {
        int point = text.indexOf('.');
        if (point < 0) {
            return new AttributePath(null, view.require(at, text));
        }
        var reference = view.require(at, text.substring(0, point));
        if (reference.references() == null) {
            throw RecordsProblem.invalid(
                    at, Text.of("records.query.no-reference", "path", text, "attribute", reference.name()));
        }
        if (reference.isList() && !at.equals("where")) {
            throw RecordsProblem.invalid(
                    at, Text.of("records.query.list-path", "path", text, "attribute", reference.name()));
        }
        return new AttributePath(reference, targets.apply(reference).require(at, text.substring(point + 1)));
    }
}
