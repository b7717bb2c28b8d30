package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tells the faults of formulas in the words of people: those of the compiler and of the runtime are of CEL and of Java. */
final class FormulaFaults {

    /** Those that people use most, of which the guide has an example each. */
    static final String FUNCTIONS =
            "size, contains, startsWith, endsWith, matches, indexOf, substring, split, join, trim, lowerAscii, upperAscii, "
                    + "string, int, double, bool, timestamp, duration, getFullYear, getMonth, getDate, getHours, math.round, "
                    + "math.ceil, math.floor, math.abs, math.least, math.greatest, sum, filter, map, exists, all, has";

    private static final Pattern UNDECLARED = Pattern.compile("undeclared reference to '([^']*)'");
    private static final Pattern NO_OVERLOAD =
            Pattern.compile("found no matching overload for '([^']+)' applied to '(?:([^']+)\\.)?\\(([^']*)\\)'.*");
    private static final Pattern NO_RUNTIME_OVERLOAD =
            Pattern.compile("No matching overload for function '([^']+)'.*", Pattern.DOTALL);
    private static final Pattern UNEXPECTED = Pattern.compile(
            "(?:mismatched input|extraneous input|no viable alternative at input|token recognition error at:"
                    + "|missing '[^']*' at) ?'(.*?)'(?: expecting .*)?",
            Pattern.DOTALL);
    private static final Pattern NO_LIST =
            Pattern.compile("expression of type '([^']+)' cannot be (?:the )?range of a comprehension.*");
    private static final Pattern KEY = Pattern.compile("key '?(.*?)'? is not present in map\\.?.*");
    private static final Pattern OUTSIDE = Pattern.compile("out of (bounds|range)", Pattern.CASE_INSENSITIVE);
    private static final Pattern WRAPPER = Pattern.compile("wrapper\\((.*)\\)");

    private static final Map<String, String> OPERATORS = Map.ofEntries(
            Map.entry("_==_", "=="),
            Map.entry("_!=_", "!="),
            Map.entry("_<_", "<"),
            Map.entry("_<=_", "<="),
            Map.entry("_>_", ">"),
            Map.entry("_>=_", ">="),
            Map.entry("_+_", "+"),
            Map.entry("_-_", "-"),
            Map.entry("_*_", "*"),
            Map.entry("_/_", "/"),
            Map.entry("_%_", "%"),
            Map.entry("_&&_", "&&"),
            Map.entry("_||_", "||"),
            Map.entry("!_", "!"),
            Map.entry("-_", "-"),
            Map.entry("_?_:_", "? :"),
            Map.entry("_[_]", "[ ]"),
            Map.entry("@in", "in"));

    private FormulaFaults() {}

    /** The word that the compiler does not know. */
    static Optional<String> undeclared(String problem) {
        var found = UNDECLARED.matcher(problem);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /**
     * A fault that the compiler found.
     *
     * @param isCalled whether a bracket follows the place
     */
    static Text ofSource(String problem, boolean isCalled) {
        var word = undeclared(problem);
        if (word.isPresent()) {
            return unknown(word.get(), isCalled);
        }
        var overload = NO_OVERLOAD.matcher(problem);
        if (overload.matches()) {
            var types = arguments(overload.group(3));
            if (overload.group(2) != null) {
                types.addFirst(overload.group(2));
            }
            boolean mixesNumbers =
                    types.stream().anyMatch(each -> unwrapped(each).equals("double"));
            var kinds = types.stream()
                    .map(each -> mixesNumbers && unwrapped(each).equals("int")
                            ? Text.of("records.formula.kind-whole")
                            : kind(each))
                    .toList();
            return Text.of("records.formula.kinds", "operator", operator(overload.group(1)), "kinds", kinds);
        }
        var range = NO_LIST.matcher(problem);
        if (range.matches()) {
            return Text.of("records.formula.no-list", "kind", kind(range.group(1)));
        }
        var unexpected = UNEXPECTED.matcher(problem);
        if (unexpected.matches()) {
            return unexpected.group(1).equals("<EOF>")
                    ? Text.of("records.formula.ends")
                    : Text.of("records.formula.unexpected", "word", unexpected.group(1));
        }
        if (problem.contains("<EOF>")) {
            return Text.of("records.formula.ends");
        }
        return isInternal(problem) ? Text.of("records.formula.unreadable") : Text.verbatim(problem);
    }

    private static Text unknown(String word, boolean isCalled) {
        if (word.equals("now") || word.equals("today")) {
            return Text.of("records.formula.no-clock");
        }
        return isCalled
                ? Text.of("records.formula.no-function", "name", word, "functions", FUNCTIONS)
                : Text.of("records.formula.no-name", "name", word);
    }

    /** The reason why a formula has no value for a record. */
    static Text ofValues(String problem) {
        var overload = NO_RUNTIME_OVERLOAD.matcher(problem);
        if (overload.matches()) {
            return mixed(overload.group(1));
        }
        if (problem.contains("by zero")) {
            return Text.of("records.formula.zero");
        }
        if (OUTSIDE.matcher(problem).find()) {
            return Text.of("records.formula.range");
        }
        var key = KEY.matcher(problem);
        if (key.matches()) {
            return Text.of("records.formula.no-key", "key", key.group(1));
        }
        return Text.of("records.formula.impossible");
    }

    private static Text mixed(String function) {
        return Text.of("records.formula.mixed", "operator", operator(function));
    }

    private static String operator(String function) {
        return OPERATORS.getOrDefault(function, function);
    }

    /** Whether words of the compiler mean nothing to whoever wrote the formula. */
    private static boolean isInternal(String problem) {
        return problem.contains("_")
                || problem.contains("wrapper(")
                || problem.contains("java.")
                || problem.contains("dev.cel")
                || problem.contains("google.");
    }

    /** The types between brackets, of which some have brackets themselves. */
    private static List<String> arguments(String types) {
        var arguments = new ArrayList<String>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < types.length(); i++) {
            char c = types.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                arguments.add(types.substring(start, i).strip());
                start = i + 1;
            }
        }
        if (start < types.length()) {
            arguments.add(types.substring(start).strip());
        }
        return arguments;
    }

    private static String unwrapped(String type) {
        var wrapped = WRAPPER.matcher(type);
        return wrapped.matches() ? wrapped.group(1) : type;
    }

    private static Text kind(String type) {
        var name = unwrapped(type);
        return Text.of(
                switch (name) {
                    case "int", "uint", "double" -> "records.formula.kind-number";
                    case "string" -> "records.formula.kind-text";
                    case "bool" -> "records.formula.kind-bool";
                    case "null", "null_type" -> "records.formula.kind-none";
                    case "google.protobuf.Timestamp", "timestamp" -> "records.formula.kind-moment";
                    case "google.protobuf.Duration", "duration" -> "records.formula.kind-duration";
                    default ->
                        name.startsWith("list")
                                ? "records.formula.kind-list"
                                : name.startsWith("map") ? "records.formula.kind-map" : "records.formula.kind-any";
                });
    }
}
