package io.hiroba.platform.http;

import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.util.Optional;

/** A request for a page of a list: the number of items, and the cursor after which it begins. */
public record PageRequest(int limit, Optional<String> after) {

    /** Reads {@code limit} and {@code after}. A limit that is no number from 1 to {@code maxLimit} is a problem. */
    public static PageRequest of(Context ctx, int defaultLimit, int maxLimit) {
        var text = ctx.queryParam("limit");
        int limit = defaultLimit;
        if (text != null) {
            if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > maxLimit) {
                throw HttpProblem.invalid("limit", Text.of("http.field.number-between", "min", 1, "max", maxLimit));
            }
            limit = Integer.parseInt(text);
        }
        return new PageRequest(
                limit, Optional.ofNullable(ctx.queryParam("after")).filter(after -> !after.isEmpty()));
    }
}
