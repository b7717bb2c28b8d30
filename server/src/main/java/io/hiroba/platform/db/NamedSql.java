package io.hiroba.platform.db;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * SQL with named parameters, such as {@code :user}, translated for the driver.
 *
 * @param text with a question mark for each parameter
 * @param names the distinct names, in order
 * @param places for each question mark, the index of its name
 * @param summary names it in traces
 */
record NamedSql(String text, Map<String, Integer> names, List<Integer> places, SqlSummary summary) {

    private static final Cache<String, NamedSql> known =
            Caffeine.newBuilder().maximumSize(5_000).build();

    static NamedSql of(String sql) {
        return known.get(sql, text -> new Reader(text).read());
    }

    /** Copies the text, with question marks for names. What is quoted or a comment has none. */
    private static final class Reader {

        private final String sql;
        private final StringBuilder text;
        private final Map<String, Integer> names = new LinkedHashMap<>();
        private final List<Integer> places = new ArrayList<>();
        private int at;

        Reader(String sql) {
            this.sql = sql;
            this.text = new StringBuilder(sql.length());
        }

        NamedSql read() {
            while (at < sql.length()) {
                switch (sql.charAt(at)) {
                    case '\'' -> quoted(isEscape());
                    case '"' -> copyThrough("\"", 1);
                    case '$' -> dollars();
                    case '-' -> copyThrough(sql.startsWith("--", at) ? "\n" : "", 1);
                    case '/' -> copyThrough(sql.startsWith("/*", at) ? "*/" : "", 1);
                    case ':' -> colon();
                    default -> copy(1);
                }
            }
            return new NamedSql(
                    text.toString(), Map.copyOf(names), List.copyOf(places), new SqlSummary(text.toString()));
        }

        private void copy(int length) {
            text.append(sql, at, at + length);
            at += length;
        }

        /** Copies so many characters and all up to the end of {@code end}; no more if that is empty. */
        private void copyThrough(String end, int first) {
            int found = sql.indexOf(end, at + first);
            copy(found < 0 ? sql.length() - at : found + end.length() - at);
        }

        /** Whether the quote that begins here is one of E'…', in which a backslash hides the quote behind it. */
        private boolean isEscape() {
            return at > 0
                    && Character.toUpperCase(sql.charAt(at - 1)) == 'E'
                    && (at == 1 || !Character.isJavaIdentifierPart(sql.charAt(at - 2)));
        }

        private void quoted(boolean escapes) {
            int end = at + 1;
            while (end < sql.length() && sql.charAt(end) != '\'') {
                end += escapes && sql.charAt(end) == '\\' ? 2 : 1;
            }
            copy(Math.min(end + 1, sql.length()) - at);
        }

        private void dollars() {
            int end = at + 1;
            while (end < sql.length() && Character.isLetterOrDigit(sql.charAt(end))) {
                end++;
            }
            boolean opens = end < sql.length() && sql.charAt(end) == '$';
            copyThrough(opens ? sql.substring(at, end + 1) : "", opens ? end + 1 - at : 1);
        }

        private void colon() {
            int end = at + 1;
            while (end < sql.length() && isNamePart(sql.charAt(end))) {
                end++;
            }
            if (sql.startsWith("::", at)) {
                copy(2);
            } else if (end == at + 1 || Character.isDigit(sql.charAt(at + 1))) {
                copy(1);
            } else {
                places.add(names.computeIfAbsent(sql.substring(at + 1, end), name -> names.size()));
                text.append('?');
                at = end;
            }
        }

        private static boolean isNamePart(char c) {
            return Character.isLetterOrDigit(c) || c == '_';
        }
    }
}
