package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select records: filter, order and attributes. */
final class Conditions {

    /** Of any script, with an attribute of the referenced record after a dot; as short as what follows allows. */
    private static final String NAME = "([\\p{L}\\p{N}][^<>=!^~,]*?)";

    private static final Pattern SIGN = Pattern.compile(NAME + "\\s*(>=|<=|!=|\\^=|~=|=|>|<)\\s?(.*)", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile(
            NAME + "\\s+(in|notIn|between|within|notContains|exists|missing)(?:\\s+(.*))?", Pattern.DOTALL);
    private static final Map<String, String> SIGNS = Map.of(
            ">=",
            "gte",
            "<=",
            "lte",
            "!=",
            "ne",
            "=",
            "eq",
            ">",
            "gt",
            "<",
            "lt",
            "^=",
            "startsWith",
            "~=",
            "contains");

    @Option(
            names = "--where",
            paramLabel = "TEST",
            description = {
                "Only records for which this holds; several must all hold. 'price>=100', 'status=active',",
                "'status!=done', 'name^=be' (begins with), 'name~=ox' (contains), 'status in a,b',",
                "'price between 1,9', 'due within this-week', 'email exists', 'email missing'."
            })
    private List<String> where = new ArrayList<>();

    @Option(
            names = "--sort",
            paramLabel = "NAMES",
            description = "What to sort by: price, or -price for the largest first; several with commas.")
    private @Nullable String sort;

    @Option(names = "--select", paramLabel = "NAMES", description = "The attributes to show, with commas; else all.")
    private @Nullable String select;

    /** The query string, after {@code first}, which begins with a question mark or is empty. */
    String query(String first) {
        var query = new StringBuilder(first);
        for (var test : where) {
            add(query, test(test));
        }
        add(query, parameter("order", sort));
        add(query, parameter("select", select));
        return query.toString();
    }

    private static void add(StringBuilder query, String parameter) {
        if (!parameter.isEmpty()) {
            query.append(query.isEmpty() ? '?' : '&').append(parameter);
        }
    }

    private static String parameter(String name, @Nullable String value) {
        return value == null ? "" : name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static String test(String text) {
        var word = WORD.matcher(text.strip());
        if (word.matches()) {
            var value = word.group(3) == null ? "" : word.group(3);
            return parameter(word.group(1) + "." + word.group(2), value);
        }
        var sign = SIGN.matcher(text.strip());
        if (sign.matches()) {
            return parameter(sign.group(1) + "." + SIGNS.get(sign.group(2)), sign.group(3));
        }
        throw Failure.usage(text("records.no-test", text));
    }
}
