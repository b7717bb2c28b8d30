package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Text;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads Rich Text Format: words between control words, in groups. */
final class RtfReader {

    private static final int MAX_DEPTH = 1000;

    /** The groups that are no text of the document. */
    private static final Set<String> SKIPPED = Set.of(
            "colortbl",
            "stylesheet",
            "listtable",
            "listoverridetable",
            "rsidtbl",
            "generator",
            "pict",
            "object",
            "header",
            "headerl",
            "headerr",
            "headerf",
            "footer",
            "footerl",
            "footerr",
            "footerf",
            "themedata",
            "datastore",
            "latentstyles",
            "xmlnstbl",
            "fldinst",
            "shpinst",
            "bkmkstart",
            "bkmkend",
            "pntext",
            "revtbl",
            "filetbl");

    private static final Map<String, String> SIGNS = Map.ofEntries(
            Map.entry("tab", " "),
            Map.entry("line", "\n"),
            Map.entry("emdash", "—"),
            Map.entry("endash", "–"),
            Map.entry("bullet", "•"),
            Map.entry("lquote", "‘"),
            Map.entry("rquote", "’"),
            Map.entry("ldblquote", "“"),
            Map.entry("rdblquote", "”"),
            Map.entry("emspace", " "),
            Map.entry("enspace", " "));

    /** The encodings of fonts by the number of their character set. */
    private static final Map<Integer, String> FONT_CHARSETS = Map.ofEntries(
            Map.entry(0, "windows-1252"),
            Map.entry(128, "windows-31j"),
            Map.entry(129, "x-windows-949"),
            Map.entry(134, "GB18030"),
            Map.entry(136, "Big5-HKSCS"),
            Map.entry(161, "windows-1253"),
            Map.entry(162, "windows-1254"),
            Map.entry(163, "windows-1258"),
            Map.entry(177, "windows-1255"),
            Map.entry(178, "windows-1256"),
            Map.entry(186, "windows-1257"),
            Map.entry(204, "windows-1251"),
            Map.entry(238, "windows-1250"));

    /** The state that a group inherits and ends with. */
    private record State(boolean skipped, boolean fonts, boolean title, int unicodeSkip, int font) {

        static final State START = new State(false, false, false, 1, -1);

        State skip() {
            return new State(true, fonts, title, unicodeSkip, font);
        }
    }

    private final byte[] rtf;
    private final SectionBuilder outline = new SectionBuilder();
    private final Deque<State> groups = new ArrayDeque<>();
    private final Map<Integer, Charset> fonts = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder title = new StringBuilder();
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private final List<String> cells = new ArrayList<>();
    private final List<String> rows = new ArrayList<>();
    private Charset ansi = Charset.forName("windows-1252");
    private State state = State.START;
    private int at;
    private int level;
    private boolean inTable;
    /** The bytes to leave out after a character that was given in Unicode. */
    private int substitutes;

    private boolean optional;

    private RtfReader(byte[] rtf) {
        this.rtf = rtf;
    }

    static boolean isRtf(byte[] content) {
        return new String(content, 0, Math.min(content.length, 6), StandardCharsets.ISO_8859_1).startsWith("{\\rtf");
    }

    static ParsedDocument read(byte[] rtf) {
        if (!isRtf(rtf)) {
            throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.archive-corrupt"));
        }
        var reader = new RtfReader(rtf);
        reader.read();
        reader.inTable = false;
        reader.endParagraph();
        reader.endTable();
        var title = StorableText.of(reader.title.toString()).strip();
        return new ParsedDocument(title.isEmpty() ? reader.outline.first() : title, reader.outline.sections());
    }

    private void read() {
        while (at < rtf.length) {
            char c = (char) (rtf[at++] & 0xFF);
            switch (c) {
                case '{' -> {
                    flush();
                    if (groups.size() >= MAX_DEPTH) {
                        throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.rtf-nested"));
                    }
                    groups.push(state);
                    substitutes = 0;
                }
                case '}' -> {
                    flush();
                    state = groups.isEmpty() ? State.START : groups.pop();
                    substitutes = 0;
                }
                case '\\' -> control();
                case '\r', '\n' -> {}
                default -> literal(c);
            }
        }
        flush();
    }

    private void control() {
        if (at >= rtf.length) {
            return;
        }
        char c = (char) (rtf[at] & 0xFF);
        if (c == '\'') {
            literal((char) hex(at + 1));
            at = Math.min(at + 3, rtf.length);
            return;
        }
        if (!isLetter(c)) {
            at++;
            symbol(c);
            return;
        }
        int start = at;
        while (at < rtf.length && isLetter((char) rtf[at]) && at - start < 32) {
            at++;
        }
        var word = new String(rtf, start, at - start, StandardCharsets.ISO_8859_1);
        var number = number();
        if (at < rtf.length && rtf[at] == ' ') {
            at++;
        }
        word(word, number);
    }

    private @Nullable Integer number() {
        int start = at;
        if (at < rtf.length && rtf[at] == '-') {
            at++;
        }
        while (at < rtf.length && rtf[at] >= '0' && rtf[at] <= '9' && at - start < 10) {
            at++;
        }
        var digits = new String(rtf, start, at - start, StandardCharsets.ISO_8859_1);
        return digits.matches("-?[0-9]{1,9}") ? Integer.valueOf(digits) : null;
    }

    private void symbol(char c) {
        switch (c) {
            case '*' -> optional = true;
            case '~' -> put("\u00A0");
            case '_' -> put("-");
            case '\\', '{', '}' -> literal(c);
            case '\r', '\n' -> endParagraph();
            default -> {}
        }
    }

    private void word(String word, @Nullable Integer number) {
        int value = number == null ? 0 : number;
        boolean isOptional = optional;
        optional = false;
        if (isOptional || SKIPPED.contains(word)) {
            flush();
            state = state.skip();
            return;
        }
        switch (word) {
            case "bin" -> at = (int) Math.min(rtf.length, at + (long) Math.max(0, value));
            case "u" -> {
                put(Character.toString((char) value));
                substitutes = state.unicodeSkip();
            }
            case "uc" ->
                state = new State(
                        state.skipped(), state.fonts(), state.title(), Math.clamp(value, 0, 10), state.font());
            case "ansicpg" -> ansi = charset("windows-" + value, ansi);
            case "mac" -> ansi = charset("x-MacRoman", ansi);
            case "fonttbl" -> state = new State(false, true, false, state.unicodeSkip(), -1);
            case "info" -> state = state.skip();
            case "title" -> state = new State(false, false, true, state.unicodeSkip(), -1);
            case "f" -> {
                flush();
                state = new State(state.skipped(), state.fonts(), state.title(), state.unicodeSkip(), value);
            }
            case "fcharset" -> {
                var name = FONT_CHARSETS.get(value);
                if (state.fonts() && name != null) {
                    fonts.put(state.font(), charset(name, ansi));
                }
            }
            case "pard" -> {
                level = 0;
                inTable = false;
            }
            case "intbl" -> inTable = true;
            case "outlinelevel" -> level = value >= 0 && value < 9 ? value + 1 : 0;
            case "par", "sect", "page" -> {
                flush();
                endParagraph();
            }
            case "cell", "nestcell" -> endCell();
            case "row", "nestrow" -> endRow();
            default -> put(SIGNS.getOrDefault(word, ""));
        }
    }

    /** A byte in the encoding of the font. */
    private void literal(char c) {
        if (substitutes > 0) {
            substitutes--;
        } else if (isShown()) {
            pending.write(c);
        }
    }

    private void put(String sign) {
        flush();
        if (!sign.isEmpty() && isShown()) {
            (state.title() ? title : text).append(sign);
        }
    }

    private boolean isShown() {
        return !state.skipped() && !state.fonts();
    }

    private void flush() {
        if (pending.size() > 0) {
            var decoded = pending.toString(fonts.getOrDefault(state.font(), ansi));
            pending.reset();
            (state.title() ? title : text).append(decoded);
        }
    }

    private void endCell() {
        flush();
        cells.add(StorableText.of(text.toString()).strip().replaceAll("\\s+", " "));
        text.setLength(0);
    }

    private void endRow() {
        flush();
        if (!cells.isEmpty()) {
            BlockLimit.check(rows.size());
            rows.add(String.join(" | ", cells));
            cells.clear();
        }
    }

    private void endParagraph() {
        if (inTable) {
            text.append(' ');
            return;
        }
        var content = StorableText.of(text.toString()).strip();
        text.setLength(0);
        if (content.isEmpty()) {
            return;
        }
        endTable();
        if (level > 0) {
            outline.heading(level, content, null);
        } else {
            outline.text(content);
        }
    }

    private void endTable() {
        if (!rows.isEmpty()) {
            outline.add(new Block.Table(rows.getFirst(), rows.subList(1, rows.size())));
            rows.clear();
        }
    }

    private int hex(int from) {
        int value = 0;
        for (int i = from; i < Math.min(from + 2, rtf.length); i++) {
            value = value * 16 + Math.max(0, Character.digit(rtf[i], 16));
        }
        return value;
    }

    private static Charset charset(String name, Charset otherwise) {
        var known = switch (name) {
            case "windows-932" -> "windows-31j";
            case "windows-936" -> "GB18030";
            case "windows-949" -> "x-windows-949";
            case "windows-950" -> "Big5-HKSCS";
            case "windows-65001" -> "UTF-8";
            default -> name;
        };
        return Charset.isSupported(known) ? Charset.forName(known) : otherwise;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
