package io.hiroba.backup;

import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** A setting of a server or of a role, with its value as the catalog has it. */
record ServerSetting(String name, String value) {

    /** Those whose values are lists of names: as one string a list would become one name. */
    private static final Set<String> LISTS = Set.of(
            "local_preload_libraries",
            "search_path",
            "session_preload_libraries",
            "shared_preload_libraries",
            "temp_tablespaces",
            "unix_socket_directories");

    private static final Pattern ELEMENT =
            Pattern.compile("\\G\\s*+(?:\"((?:[^\"]++|\"\")*+)\"|([^\\s,\"][^\\s,]*+))\\s*+(,|\\z)");

    /** Reads {@code name=value}. */
    static ServerSetting parse(String line) {
        int end = line.indexOf('=');
        return new ServerSetting(line.substring(0, end), line.substring(end + 1));
    }

    /** The value as a statement sets it: of a list each element by itself, which the server quotes as it needs. */
    String sql() {
        if (!LISTS.contains(name.toLowerCase(Locale.ROOT))) {
            return literal(value);
        }
        var elements = new ArrayList<String>();
        var element = ELEMENT.matcher(value);
        int end = 0;
        boolean isLast = false;
        while (!isLast && element.find()) {
            var quoted = element.group(1);
            elements.add(literal(quoted == null ? element.group(2) : quoted.replace("\"\"", "\"")));
            end = element.end();
            isLast = element.group(3).isEmpty();
        }
        return isLast && end == value.length() ? String.join(", ", elements) : literal(value);
    }

    private static String literal(String text) {
        var quoted = "'" + text.replace("'", "''") + "'";
        return text.contains("\\") ? "E" + quoted.replace("\\", "\\\\") : quoted;
    }
}
