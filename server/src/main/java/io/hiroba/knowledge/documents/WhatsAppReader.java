package io.hiroba.knowledge.documents;

import java.util.regex.Pattern;

/** Reads WhatsApp exports: lines with a time and an author, and continuation lines. */
final class WhatsAppReader {

    private static final String TIME =
            "\\d{1,4}[./-]\\d{1,2}[./-]\\d{1,4},?\\s\\d{1,2}[:.]\\d{2}(?:[:.]\\d{2})?(?:\\s?[APap]\\.?\\s?[Mm]\\.?)?";
    private static final Pattern LINE = Pattern.compile(
            "^[\\u200e\\u200f]?(?:\\[" + TIME + "\\]\\s|" + TIME + "\\s-\\s)(?:([^:]{1,80}):\\s)?(.*)$",
            Pattern.UNICODE_CHARACTER_CLASS);
    private static final int SAMPLE_LINES = 20;

    private WhatsAppReader() {}

    /** Whether most of how a text begins looks like an export. */
    static boolean isExport(String text) {
        var lines = text.lines().limit(SAMPLE_LINES).toList();
        long dated = lines.stream().filter(line -> LINE.matcher(line).matches()).count();
        return dated >= 2 && dated * 2 >= lines.size();
    }

    static ParsedDocument read(String text) {
        var conversation = new TranscriptBuilder();
        var content = new StringBuilder();
        var author = "";
        int index = -1;
        for (var line : (Iterable<String>) text.lines()::iterator) {
            var match = LINE.matcher(line);
            if (!match.matches()) {
                content.append('\n').append(line);
                continue;
            }
            conversation.addMessage(Math.max(index, 0), null, null, author, content.toString());
            index++;
            author = match.group(1) == null ? "" : match.group(1);
            content.setLength(0);
            content.append(match.group(2));
        }
        conversation.addMessage(Math.max(index, 0), null, null, author, content.toString());
        return conversation.reading(null);
    }
}
