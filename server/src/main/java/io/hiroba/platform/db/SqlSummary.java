package io.hiroba.platform.db;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a statement in traces: its operation and the table or function that it begins with, such as {@code INSERT
 * social.post_likes}. It holds nothing else of the text, in which a value may stand. It is made when a trace asks for it.
 */
final class SqlSummary {

    private static final Set<String> OPERATIONS =
            Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "EXPLAIN", "SET", "LOCK", "COPY", "CREATE", "DROP");
    private static final String OTHER = "SQL";

    /** What is quoted or a comment. */
    private static final Pattern QUOTED =
            Pattern.compile("'(?:[^']|'')*'|\"[^\"]*\"|--[^\\n]*|/\\*[\\s\\S]*?\\*/|\\$(\\w*)\\$[\\s\\S]*?\\$\\1\\$");

    private static final Pattern CHANGE = Pattern.compile(
            "\\b(INSERT\\s+INTO|UPDATE|DELETE\\s+FROM|MERGE\\s+INTO)\\s+(?:ONLY\\s+)?([a-z_][a-z0-9_]*\\.[a-z_][a-z0-9_]*)",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern READ = Pattern.compile(
            "\\b(?:FROM|JOIN)\\s+(?:ONLY\\s+)?([a-z_][a-z0-9_]*\\.[a-z_][a-z0-9_]*)|\\bSELECT\\s+([a-z_][a-z0-9_]*\\.[a-z_][a-z0-9_]*)\\s*\\(",
            Pattern.CASE_INSENSITIVE);

    private final String sql;
    private volatile @Nullable String text;

    /** @param sql without the values of its parameters */
    SqlSummary(String sql) {
        this.sql = sql;
    }

    String text() {
        var made = text;
        if (made == null) {
            made = of(QUOTED.matcher(sql).replaceAll(" "));
            text = made;
        }
        return made;
    }

    private static String of(String bare) {
        var change = CHANGE.matcher(bare);
        if (change.find()) {
            return operation(change.group(1)) + " " + change.group(2);
        }
        var first = operation(bare);
        var operation = first.equals("WITH") ? "SELECT" : first;
        var read = READ.matcher(bare);
        if (!OPERATIONS.contains(operation)) {
            return OTHER;
        }
        if (!read.find()) {
            return operation;
        }
        return operation + " " + (read.group(1) == null ? read.group(2) : read.group(1));
    }

    /** The first word. */
    private static String operation(String sql) {
        var words = sql.strip().split("\\s+", 2);
        return words[0].toUpperCase(Locale.ROOT);
    }
}
