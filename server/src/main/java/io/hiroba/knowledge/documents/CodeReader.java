package io.hiroba.knowledge.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads source code of any language by its indentation: what begins at the margin after an empty line is a declaration, and a long one
 * is divided at its members in the same way. Sections are named after what they declare.
 */
final class CodeReader {

    /** The extensions of common languages. */
    static final String EXTENSIONS =
            "java kt kts scala groovy gradle js mjs cjs jsx ts tsx vue svelte py pyi rb go rs c h cc cpp cxx hh hpp"
                    + " m mm cs fs vb swift dart php pl pm lua r jl sql sh bash zsh fish ps1 bat clj cljs ex exs erl hs elm ml mli nim zig"
                    + " d pas asm s proto thrift graphql tf hcl css scss less xml xsd xsl yaml yml toml ini properties conf jte jsp cmake mk";

    /** A longer declaration is divided. */
    private static final int MAX_LINES = 60;

    private static final int MAX_DEPTH = 4;
    private static final int TAB = 4;
    private static final int MAX_NAME = 120;
    /** A longer line is data, which patterns would take long to look through. */
    private static final int MAX_NAMED_LENGTH = 300;

    private static final Pattern DECLARATION = Pattern.compile(
            "\\b(?:class|interface|enum|record|struct|union|trait|impl|module|namespace|package|object|protocol|extension"
                    + "|def|fn|func|function|fun|sub|proc|type|message|service|table|view|trigger|procedure|mod)\\s+"
                    + "(?:if not exists\\s+)?([\\p{L}_$](?:[\\p{L}\\p{N}_$.<>]|::)*)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern CALLABLE = Pattern.compile(
            "(?<![\\p{L}\\p{N}_$:.])([\\p{L}_$~][\\p{L}\\p{N}_$:.]*+)\\s*+(?:<[^>]*>)?\\s*\\([^;]*(?:\\{|$|=>|->|:\\s*$)");
    private static final Pattern ASSIGNED =
            Pattern.compile("(?:const|let|var|val)\\s+([\\p{L}_$][\\p{L}\\p{N}_$]*)\\s*[:=]");
    private static final Pattern AROUND =
            Pattern.compile("\\s*(?://|/\\*|\\*|#(?!\\[|include|define)|--|;;|@|\"\"\"|'''|<!--|%).*");
    private static final Pattern CLOSING =
            Pattern.compile("\\s*(?:[})\\]]|end\\b|</|else\\b|catch\\b|finally\\b|except\\b|elif\\b).*");
    private static final Set<String> NO_NAMES = Set.of(
            "if",
            "for",
            "while",
            "switch",
            "return",
            "catch",
            "synchronized",
            "new",
            "throw",
            "else",
            "do",
            "try",
            "with");

    private final List<String> lines;
    private final List<Section> sections = new ArrayList<>();
    private final List<Block> open = new ArrayList<>();
    private List<String> openPath = List.of();

    private CodeReader(List<String> lines) {
        this.lines = lines;
    }

    static ParsedDocument read(String code) {
        var lines = code.lines().map(String::stripTrailing).toList();
        BlockLimit.check(lines.size());
        var reader = new CodeReader(lines);
        reader.divide(0, lines.size(), List.of(), 0);
        reader.endSection();
        return new ParsedDocument(null, reader.sections, Map.of("line_count", lines.size()));
    }

    /** Divides the lines from {@code from} up to {@code to} at what begins with the least indentation in them. */
    private void divide(int from, int to, List<String> path, int depth) {
        int margin = margin(from, to);
        int start = from;
        for (int i = from; i < to; i++) {
            if (i > start && isStart(i, from, margin)) {
                add(start, i, path, depth);
                start = i;
            }
        }
        add(start, to, path, depth);
    }

    private int margin(int from, int to) {
        return lines.subList(from, to).stream()
                .filter(line -> !line.isBlank())
                .mapToInt(CodeReader::indent)
                .min()
                .orElse(0);
    }

    private static int indent(String line) {
        int indent = 0;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '\t') {
                indent += TAB;
            } else if (line.charAt(i) == ' ') {
                indent++;
            } else {
                break;
            }
        }
        return indent;
    }

    /** Whether a declaration begins here, with the comments and annotations before it. */
    private boolean isStart(int at, int from, int margin) {
        var line = lines.get(at);
        if (line.isBlank() || indent(line) != margin || CLOSING.matcher(line).matches()) {
            return false;
        }
        var before = lines.get(at - 1);
        boolean isNamed = name(line).isPresent();
        boolean isAround = AROUND.matcher(line).matches();
        boolean follows = at > from && AROUND.matcher(before).matches() && indent(before) == margin;
        if (follows && !before.isBlank()) {
            return false;
        }
        // Members without an empty line between them, after the end of the one before.
        boolean afterEnd = indent(before) > margin || CLOSING.matcher(before).matches();
        return before.isBlank() || (afterEnd && (isNamed || isAround));
    }

    private void add(int from, int to, List<String> path, int depth) {
        int first = from;
        int end = to;
        while (end > first && lines.get(end - 1).isBlank()) {
            end--;
        }
        while (first < end && lines.get(first).isBlank()) {
            first++;
        }
        if (first == end) {
            return;
        }
        var name = declared(first, end);
        var inner = name.map(own -> join(path, own)).orElse(path);
        int body = bodyStart(first, end);
        if (end - first > MAX_LINES && depth < MAX_DEPTH && body < end) {
            int bodyEnd = lines.get(end - 1).isBlank()
                            || !CLOSING.matcher(lines.get(end - 1)).matches()
                    ? end
                    : end - 1;
            emit(first, body, inner);
            divide(body, Math.max(body, bodyEnd), inner, depth + 1);
            return;
        }
        emit(first, end, inner);
    }

    /** The first line inside a declaration, or the end if all of it stands at one indentation. */
    private int bodyStart(int from, int end) {
        int margin = margin(from, end);
        boolean seen = false;
        int i = from;
        while (i < end) {
            var line = lines.get(i);
            if (!line.isBlank()
                    && indent(line) == margin
                    && !AROUND.matcher(line).matches()) {
                seen = true;
            } else if (seen && !line.isBlank() && indent(line) > margin) {
                int outside = outside(i, end, margin);
                if (outside >= end - 1) {
                    return i;
                }
                i = outside;
                continue;
            }
            i++;
        }
        return end;
    }

    /** The next line that is neither inside nor closes it. */
    private int outside(int from, int end, int margin) {
        int i = from;
        while (i < end - 1) {
            var line = lines.get(i);
            if (!line.isBlank()
                    && indent(line) <= margin
                    && !CLOSING.matcher(line).matches()
                    && !AROUND.matcher(line).matches()) {
                break;
            }
            i++;
        }
        return i;
    }

    /** Adds lines; what declares nothing of its own stays with what comes before it. */
    private void emit(int from, int to, List<String> path) {
        var text = String.join("\n", lines.subList(from, Math.max(from, to)));
        if (text.isBlank()) {
            return;
        }
        if (!path.equals(openPath)) {
            endSection();
            openPath = path;
        }
        open.add(new Block.Code(text, from + 1));
    }

    private void endSection() {
        if (!open.isEmpty()) {
            sections.add(Section.of(openPath, open));
            open.clear();
        }
    }

    private static List<String> join(List<String> path, String name) {
        var joined = new ArrayList<>(path);
        joined.add(name);
        return joined;
    }

    /** The name of the first declaration in these lines. */
    private Optional<String> declared(int from, int end) {
        boolean inComment = false;
        for (int i = from; i < Math.min(end, from + MAX_LINES); i++) {
            var line = lines.get(i);
            if (line.stripLeading().startsWith("/*")) {
                inComment = true;
            }
            if (inComment || line.isBlank() || AROUND.matcher(line).matches()) {
                inComment = inComment && !line.contains("*/");
                continue;
            }
            return name(line);
        }
        return Optional.empty();
    }

    private static Optional<String> name(String line) {
        if (line.length() > MAX_NAMED_LENGTH) {
            return Optional.empty();
        }
        for (var pattern : List.of(DECLARATION, ASSIGNED, CALLABLE)) {
            var match = pattern.matcher(line);
            if (match.find()) {
                var name = match.group(1);
                boolean isName = !NO_NAMES.contains(name.toLowerCase(Locale.ROOT)) && name.length() <= MAX_NAME;
                if (isName) {
                    return Optional.of(pattern.equals(CALLABLE) ? name + "()" : name);
                }
            }
        }
        return Optional.empty();
    }
}
