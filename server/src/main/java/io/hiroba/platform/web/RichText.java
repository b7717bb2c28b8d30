package io.hiroba.platform.web;

import gg.jte.Content;
import gg.jte.html.HtmlTemplateOutput;
import io.hiroba.platform.i18n.Reader;
import java.util.ArrayList;
import java.util.List;

/** A message whose arguments may be markup, such as a link in the midst of a sentence. All else is escaped. */
final class RichText {

    /** Stands for the first content while the message is formatted, and the characters after it for the others: private use. */
    private static final char FIRST = '\uE000';

    private static final int MAX_CONTENTS = 9;

    private RichText() {}

    static Content of(Reader reader, String key, Object... arguments) {
        var contents = new ArrayList<Content>();
        var plain = arguments.clone();
        for (int i = 1; i < plain.length; i += 2) {
            if (plain[i] instanceof Content content) {
                plain[i] = String.valueOf((char) (FIRST + contents.size()));
                contents.add(content);
            } else if (plain[i] instanceof String text) {
                plain[i] = withoutPrivateUse(text);
            }
        }
        var text = reader.text(key, plain);
        return output -> write((HtmlTemplateOutput) output, text, List.copyOf(contents));
    }

    /** A text whose names between backticks are code. */
    static Content marked(String text) {
        var parts = text.split("`", -1);
        return output -> write((HtmlTemplateOutput) output, parts);
    }

    private static void write(HtmlTemplateOutput output, String... parts) {
        for (int i = 0; i < parts.length; i++) {
            // The last of an even number of parts has no backtick at its end.
            boolean isCode = i % 2 == 1 && i < parts.length - 1;
            output.writeContent(isCode ? "<code>" : i % 2 == 1 ? "`" : "");
            output.setContext(isCode ? "code" : "p", null);
            output.writeUserContent(parts[i]);
            output.writeContent(isCode ? "</code>" : "");
        }
    }

    /** A value with such a character of its own must not stand for a content. */
    private static String withoutPrivateUse(String text) {
        return text.codePoints().anyMatch(RichText::isPlace) ? text.replaceAll("[\uE000-\uE008]", "") : text;
    }

    private static boolean isPlace(int character) {
        return character >= FIRST && character < FIRST + MAX_CONTENTS;
    }

    private static void write(HtmlTemplateOutput output, String text, List<Content> contents) {
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            int place = text.charAt(i) - FIRST;
            if (place >= 0 && place < contents.size()) {
                output.setContext("p", null);
                output.writeUserContent(text.substring(from, i));
                contents.get(place).writeTo(output);
                from = i + 1;
            }
        }
        output.setContext("p", null);
        output.writeUserContent(text.substring(from));
    }
}
