package io.hiroba.inbox.gitlab;

import java.util.HashSet;
import java.util.Set;

/**
 * A text whose code and comments are replaced by {@code " ` "}. It is scanned once: a delimiter that is never closed is
 * searched for only once, however often it is opened, so that hostile texts cost linear time.
 */
final class ProseText {

    private static final String COMMENT = "<!--";
    private static final String COMMENT_END = "-->";
    private static final String GAP = " ` ";

    private final String text;
    private final StringBuilder prose = new StringBuilder();
    private final Set<String> neverClosed = new HashSet<>();

    private ProseText(String text) {
        this.text = text;
    }

    static String of(String text) {
        return new ProseText(text).read();
    }

    private String read() {
        int at = 0;
        boolean margin = true;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end = c == '`' || c == '~' ? ticked(at, margin) : c == '<' ? tagged(at) : -1;
            if (end >= 0) {
                prose.append(GAP);
                at = end;
                margin = false;
                continue;
            }
            int next = c == '`' || c == '~' ? at + run(at) : at + 1;
            prose.append(text, at, next);
            margin = c == '\n' || (margin && isMargin(c));
            at = next;
        }
        return prose.toString();
    }

    /** Finds the end of the code that begins here; -1 if none does. */
    private int ticked(int at, boolean margin) {
        int length = run(at);
        if (margin && length >= 3) {
            int line = lineEnd(at);
            // With another tick in its first line it is inline code.
            if (text.charAt(at) == '~' || text.substring(at + length, line).indexOf('`') < 0) {
                return fenced(text.substring(at, at + length), line);
            }
        }
        return text.charAt(at) == '`' ? inline(at + length, length) : -1;
    }

    private int fenced(String fence, int firstEnd) {
        int end = firstEnd;
        while (end < text.length()) {
            int start = end + 1;
            end = lineEnd(start);
            while (start < end && isMargin(text.charAt(start))) {
                start++;
            }
            if (text.startsWith(fence, start)
                    && text.substring(start, end)
                            .chars()
                            .allMatch(c -> c == '`' || c == '~' || Character.isWhitespace(c))) {
                return end;
            }
        }
        return text.length();
    }

    /** Inline code is closed by exactly as many ticks as have opened it. */
    private int inline(int from, int length) {
        var key = "`" + length;
        if (neverClosed.contains(key)) {
            return -1;
        }
        int at = text.indexOf('`', from);
        while (at >= 0) {
            int found = run(at);
            if (found == length) {
                return at + found;
            }
            at = text.indexOf('`', at + found);
        }
        neverClosed.add(key);
        return -1;
    }

    private int tagged(int at) {
        if (text.startsWith(COMMENT, at)) {
            return closed(COMMENT_END, at + COMMENT.length());
        }
        for (var tag : new String[] {"code", "pre"}) {
            int name = at + 1 + tag.length();
            if (text.startsWith(tag, at + 1) && name < text.length() && !Character.isLetterOrDigit(text.charAt(name))) {
                int open = closed(">", name);
                return open < 0 ? -1 : closed("</" + tag + ">", open);
            }
        }
        return -1;
    }

    private int closed(String closer, int from) {
        int found = neverClosed.contains(closer) ? -1 : text.indexOf(closer, from);
        if (found < 0) {
            neverClosed.add(closer);
            return -1;
        }
        return found + closer.length();
    }

    private int run(int at) {
        int end = at;
        while (end < text.length() && text.charAt(end) == text.charAt(at)) {
            end++;
        }
        return end - at;
    }

    private int lineEnd(int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    private static boolean isMargin(char c) {
        return c == ' ' || c == '\t' || c == '>';
    }
}
