package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Builds URL paths and query strings with escaped values. */
final class UrlPaths {

    private UrlPaths() {}

    static String segment(String value) {
        if (value.isBlank() || value.equals(".") || value.equals("..")) {
            throw Failure.usage(text("usage.not-an-id", value));
        }
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The query string of alternating names and values, without null values. */
    static String query(@Nullable Object... namesAndValues) {
        var query = new StringJoiner("&", "?", "").setEmptyValue("");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i + 1] != null) {
                query.add(namesAndValues[i] + "="
                        + URLEncoder.encode(String.valueOf(namesAndValues[i + 1]), StandardCharsets.UTF_8));
            }
        }
        return query.toString();
    }
}
