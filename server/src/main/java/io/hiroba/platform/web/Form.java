package io.hiroba.platform.web;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of a form and their errors, so that a refused form is shown again as it was filled in.
 *
 * @param errors what is wrong with a field, by its name; shown as a sentence of its own
 * @param problem what is wrong with the form as a whole
 */
public record Form(
        Map<String, String> values,
        Map<String, Text> errors,
        @Nullable Text problem) {

    public static final Form EMPTY = new Form(Map.of(), Map.of(), null);

    public Form {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        errors = Collections.unmodifiableMap(new LinkedHashMap<>(errors));
    }

    /** The named fields of a request; one that was not sent is empty. */
    public static Form of(Context ctx, String... names) {
        var values = new HashMap<String, String>();
        for (var name : names) {
            var value = ctx.formParam(name);
            values.put(name, value == null ? "" : value);
        }
        return new Form(values, Map.of(), null);
    }

    public static Form filled(Map<String, String> values) {
        return new Form(values, Map.of(), null);
    }

    /** Whether a problem is shown in the form that caused it; the others have pages of their own. */
    public static boolean canShow(Problem problem) {
        return switch (problem.kind()) {
            case INVALID,
                    CONFLICT,
                    PRECONDITION_FAILED,
                    TOO_LARGE,
                    UNPROCESSABLE,
                    RATE_LIMITED,
                    UNSUPPORTED_MEDIA_TYPE,
                    UNAVAILABLE -> true;
            case UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, GONE, METHOD_NOT_ALLOWED, INTERNAL -> false;
        };
    }

    public String value(String name) {
        return values.getOrDefault(name, "");
    }

    public boolean isChecked(String name) {
        return !value(name).isEmpty();
    }

    public @Nullable Text error(String name) {
        return errors.get(name);
    }

    public boolean hasErrors() {
        return problem != null || !errors.isEmpty();
    }

    public Form withError(String field, Text message) {
        var more = new LinkedHashMap<>(errors);
        more.put(field, message);
        return new Form(values, more, problem);
    }

    public Form withProblem(Text message) {
        return new Form(values, errors, message);
    }

    /** With another value of a field. */
    public Form with(String name, String value) {
        var more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new Form(more, errors, problem);
    }

    /** Without a value that must not be sent back, such as a password. */
    public Form without(String... names) {
        var fewer = new LinkedHashMap<>(values);
        for (var name : names) {
            fewer.remove(name);
        }
        return new Form(fewer, errors, problem);
    }

    /** The form with a facade's errors, beside the fields that they name if the form has them, else above the form. */
    public Form refused(Problem refusal) {
        var form = this;
        var shown = false;
        for (var fault : refusal.fields()) {
            if (values.containsKey(fault.field())) {
                form = form.withError(fault.field(), fault.message());
                shown = true;
            }
        }
        return shown ? form : form.withProblem(refusal.detail());
    }
}
