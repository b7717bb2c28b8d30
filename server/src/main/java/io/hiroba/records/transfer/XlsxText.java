package io.hiroba.records.transfer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Escapes texts of XLSX workbooks and restores them: what XML cannot hold stands there as {@code _x0007_}. */
final class XlsxText {

    private static final Pattern ESCAPED = Pattern.compile("_x([0-9A-Fa-f]{4})_");

    private XlsxText() {}

    /** The text for an element or an attribute in double quotes. */
    static String escape(String text) {
        StringBuilder escaped = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            var instead = replacement(text, i, c);
            if (instead != null && escaped == null) {
                escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (escaped != null) {
                if (instead == null) {
                    escaped.append(c);
                } else {
                    escaped.append(instead);
                }
            }
        }
        return escaped == null ? text : escaped.toString();
    }

    private static @Nullable String replacement(String text, int at, char c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\t', '\n' -> null;
            case '_' ->
                text.startsWith("x", at + 1)
                                && ESCAPED.matcher(text)
                                        .region(at, text.length())
                                        .lookingAt()
                        ? "_x005F_"
                        : null;
            case '\uFFFE', '\uFFFF' -> "_x%04X_".formatted((int) c);
            default -> c < ' ' ? "_x%04X_".formatted((int) c) : null;
        };
    }

    static String restore(String text) {
        return text.contains("_x")
                ? ESCAPED.matcher(text)
                        .replaceAll(found ->
                                Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 16))))
                : text;
    }
}
