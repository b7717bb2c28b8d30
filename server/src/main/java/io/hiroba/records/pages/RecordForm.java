package io.hiroba.records.pages;

import io.hiroba.platform.problem.Problem;
import io.hiroba.records.Access;
import io.hiroba.records.data.Documents;
import io.hiroba.records.data.RecordView;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.BadValue;
import io.hiroba.records.schema.Sight;
import io.hiroba.records.schema.ValueType;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What somebody typed into a record's form, and what is wrong with it. */
final class RecordForm {

    private final Access access;
    private final Sight sight;
    private final Titles titles;
    private final LocalMoments moments;
    private final Map<String, String> typed = new LinkedHashMap<>();
    private final Map<String, String> errors = new LinkedHashMap<>();
    private @Nullable String problem;

    RecordForm(Access access, Sight sight, Titles titles, LocalMoments moments) {
        this.access = access;
        this.sight = sight;
        this.titles = titles;
        this.moments = moments;
    }

    /** Reads the fields of a form; what it does not have is left alone. */
    RecordForm read(Context ctx) {
        for (var attribute : sight.shown()) {
            var value = ctx.formParam("v." + attribute.name());
            if (value != null) {
                typed.put(attribute.name(), value);
            } else if (isCheck(attribute) && sight.mayWrite(attribute)) {
                // A box that is not ticked is not sent.
                typed.put(attribute.name(), "false");
            }
        }
        return this;
    }

    private static boolean isCheck(Attribute attribute) {
        return attribute.type() == ValueType.BOOL && attribute.required();
    }

    /** The values of a new record; a field that cannot be read is in {@link #hasErrors}. */
    ObjectNode values() {
        var values = Documents.exact().createObjectNode();
        typed.forEach((name, text) -> sight.attribute(name).ifPresent(attribute -> {
            var value = json(attribute, text);
            // What stays empty gets the default, or is said to be required.
            if (value != null && !value.isNull()) {
                values.set(name, value);
            }
        }));
        return values;
    }

    /** What differs from the record as the form showed it. */
    ObjectNode changes(RecordView before) {
        var values = Documents.exact().createObjectNode();
        typed.forEach((name, text) -> sight.attribute(name)
                .filter(sight::mayWrite)
                .filter(attribute -> !same(attribute, text(before, attribute), Typed.lines(text)))
                .ifPresent(attribute -> {
                    var value = json(attribute, text);
                    if (value != null) {
                        values.set(name, value);
                    }
                }));
        return values;
    }

    /** Browsers write a moment as briefly as they can. */
    private boolean same(Attribute attribute, String before, String now) {
        return attribute.type() == ValueType.DATE
                ? moments.absolute(before).equals(moments.absolute(now))
                : before.equals(now);
    }

    private @Nullable JsonNode json(Attribute attribute, String text) {
        try {
            return Typed.json(attribute, text, moments);
        } catch (BadValue e) {
            errors.put(attribute.name(), sentence(e.reason()));
            return null;
        }
    }

    boolean hasErrors() {
        return !errors.isEmpty();
    }

    @Nullable
    String problem() {
        return problem;
    }

    @Nullable
    String error(String attribute) {
        return errors.get(attribute);
    }

    RecordForm refused(Problem refusal) {
        for (var fault : refusal.fields()) {
            if (sight.attribute(fault.field()).isPresent()) {
                errors.putIfAbsent(fault.field(), sentence(fault.message()));
            }
        }
        if (errors.isEmpty()) {
            problem = refusal.detail();
        }
        return this;
    }

    RecordForm withProblem(String text) {
        problem = text;
        return this;
    }

    /** The fields of a new record. */
    List<Field> fields() {
        var fields = new Fields(moments);
        return sight.shown().stream()
                .filter(sight::mayWrite)
                .map(each -> finished(
                        each,
                        typed.containsKey(each.name())
                                ? fields.of(each, typed(each.name()), false)
                                : fields.fresh(each, false)))
                .toList();
    }

    /** The fields of a record as it is, with what was typed. */
    List<Field> fields(RecordView record) {
        var fields = new Fields(moments);
        return sight.shown().stream()
                .map(each -> finished(
                        each,
                        typed.containsKey(each.name()) && sight.mayWrite(each)
                                ? fields.of(each, typed(each.name()), false)
                                : fields.of(each, record.values().get(each.name()), !sight.mayWrite(each))))
                .toList();
    }

    /** As above, beside what others made of it meanwhile. */
    List<Field> fieldsBeside(RecordView newer) {
        return fields(newer).stream()
                .map(field -> {
                    var now = text(newer, sight.attribute(field.attribute()).orElseThrow());
                    return now.equals(Typed.lines(field.value()))
                            ? field
                            : field.withNewer(now.isEmpty() ? "nothing" : now);
                })
                .toList();
    }

    Field field(Attribute attribute, RecordView record) {
        return fields(record).stream()
                .filter(each -> each.attribute().equals(attribute.name()))
                .findFirst()
                .orElseThrow();
    }

    private Field finished(Attribute attribute, Field field) {
        var done = field.withError(errors.get(attribute.name()));
        if (attribute.references() == null || field.value().isEmpty()) {
            return done;
        }
        return done.withShown(titles.title(access, attribute, field.value()).orElse(null));
    }

    private String typed(String name) {
        return String.valueOf(typed.get(name));
    }

    private String text(RecordView record, Attribute attribute) {
        return Typed.lines(Typed.text(attribute, record.values().get(attribute.name()), moments));
    }

    static String sentence(String message) {
        return Character.toUpperCase(message.charAt(0)) + message.substring(1) + (message.endsWith(".") ? "" : ".");
    }
}
