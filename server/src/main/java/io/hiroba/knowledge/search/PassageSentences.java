package io.hiroba.knowledge.search;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The sentences of a passage that can be quoted: those of its paragraphs, and the rows of its tables with the names of their columns.
 * Headings, and the heads of a mail, say what the sentences below them are about and are not quoted.
 */
final class PassageSentences {

    private static final int MAX_PASSAGE_LENGTH = 6_000;
    private static final int MAX_SENTENCE_LENGTH = 400;
    private static final int MIN_SENTENCE_LENGTH = 4;
    private static final int MAX_HEADING_LENGTH = 100;

    /** The length of a line above the text that it names, without a blank line between them. */
    private static final int MAX_LEAD_LENGTH = 60;

    /** A mark of Markdown at the beginning of a line, which a sign before a number or a year at the end of a sentence is not. */
    private static final String MARK = "(?:#{1,6}\\s|[>|]|[*+-]\\s|\\d{1,3}[.)]\\s)";

    private static final Pattern PARAGRAPHS =
            Pattern.compile("\\R\\s*\\R|\\R(?=\\s*" + MARK + ")|(?<=(?:^|\\n)#{1,6} [^\\n]{0,200})\\n");

    private static final Pattern LINE_MARKS = Pattern.compile("^\\s*(?:" + MARK + "\\s*)+");
    private static final Pattern HEADING_MARK = Pattern.compile("^\\s*#{1,6}\\s");

    private static final String UNSPACED =
            "[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}\\p{InCJK_Symbols_and_Punctuation}]";

    /** The end of a line in a script that has no spaces between words. */
    private static final Pattern UNSPACED_BREAK =
            Pattern.compile("(?<=" + UNSPACED + ")\\s*\\R\\s*(?=" + UNSPACED + ")");

    private static final Pattern BREAK = Pattern.compile("\\s*\\R\\s*");
    private static final Pattern END_OF_SENTENCE = Pattern.compile("[.!?…:;,。！？：；、，]\\W*$");
    private static final Pattern CELL_BREAK = Pattern.compile(" ?\\| ?");

    /** A line at the head of a mail, as readers of mails write them and people paste them. */
    private static final Pattern MAIL_HEAD = Pattern.compile(
            "(?i)\\s*(?:from|to|cc|bcc|date|sent|subject|reply-to|差出人|宛先|件名|日時|送信日時|发件人|收件人|抄送|主题|日期|发送时间)\\s*[:：].*");

    /** Text that would read as a citation of an answer. */
    private static final Pattern FOREIGN_CITATION = Pattern.compile("\\[\\s*(\\d[\\d,;\\s]*)]");

    private static final Pattern PATH_SEPARATOR = Pattern.compile(" › ");

    private final int number;
    private final Set<String> names;
    private final List<Sentence> sentences = new ArrayList<>();
    private Set<String> heading = Set.of();

    /**
     * A sentence, or a row of a table.
     *
     * @param number that of its passage
     * @param heading the terms of what names it
     */
    record Sentence(int number, String text, Set<String> terms, Set<String> heading, boolean isFirst) {}

    private PassageSentences(int number, String heading) {
        this.number = number;
        this.names = heading.lines()
                .flatMap(line -> Arrays.stream(PATH_SEPARATOR.split(line, -1)))
                .map(String::strip)
                .collect(Collectors.toSet());
    }

    static List<Sentence> of(int number, ExtractedAnswer.Passage passage) {
        var all = new PassageSentences(number, passage.heading());
        all.read(passage.text()
                .substring(0, Math.min(passage.text().length(), MAX_PASSAGE_LENGTH))
                .strip());
        return all.sentences;
    }

    private void read(String text) {
        var paragraphs = PARAGRAPHS.split(text, -1);
        for (int i = 0; i < paragraphs.length; i++) {
            var paragraph = paragraphs[i];
            var plain = LINE_MARKS.matcher(paragraph).replaceFirst("").strip();
            boolean isLast = i == paragraphs.length - 1;
            if (isMailHead(paragraph) || (isLast ? isNamed(paragraph, plain) : isHeading(paragraph, plain))) {
                heading = SpelledTerm.plain(plain);
            } else if (isTable(plain)) {
                rows(plain.lines().toList());
            } else {
                sentences(plain);
            }
        }
    }

    private void sentences(String paragraph) {
        int lead = lead(paragraph);
        if (lead > 0) {
            heading = SpelledTerm.plain(paragraph.substring(0, lead));
        }
        var text = BREAK.matcher(UNSPACED_BREAK
                        .matcher(paragraph.substring(lead).strip())
                        .replaceAll(""))
                .replaceAll(" ");
        var breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
        breaks.setText(text);
        int start = breaks.first();
        for (int end = breaks.next(); end != BreakIterator.DONE; end = breaks.next()) {
            add(text.substring(start, end).strip(), heading);
            start = end;
        }
    }

    private void add(String text, Set<String> about) {
        var sentence = cut(FOREIGN_CITATION.matcher(text).replaceAll("($1)"));
        if (sentence.length() >= MIN_SENTENCE_LENGTH) {
            sentences.add(new Sentence(number, sentence, SpelledTerm.plain(sentence), about, sentences.isEmpty()));
        }
    }

    /** Each row by itself, with the name of its column before every cell. */
    private void rows(List<String> lines) {
        var columns = cells(lines.getFirst());
        var about = new HashSet<>(heading);
        about.addAll(SpelledTerm.plain(lines.getFirst()));
        for (var line : lines.subList(1, lines.size())) {
            var cells = cells(line);
            var row = new ArrayList<String>();
            for (int i = 0; i < cells.size(); i++) {
                var name = i < columns.size() ? columns.get(i) : "";
                if (!cells.get(i).isEmpty()) {
                    row.add(name.isEmpty() ? cells.get(i) : name + ": " + cells.get(i));
                }
            }
            var text = cut(FOREIGN_CITATION.matcher(String.join("; ", row)).replaceAll("($1)"));
            if (!text.isEmpty()) {
                sentences.add(new Sentence(number, text, SpelledTerm.plain(line), about, false));
            }
        }
    }

    private static List<String> cells(String line) {
        return Arrays.stream(CELL_BREAK.split(line, -1)).map(String::strip).toList();
    }

    /** Whether all lines have cells, and there is a row below the names of the columns. */
    private static boolean isTable(String paragraph) {
        var lines = paragraph.lines().toList();
        return lines.size() > 1 && lines.stream().allMatch(line -> line.contains(" | "));
    }

    private static boolean isMailHead(String paragraph) {
        return paragraph.lines().count() > 1
                && paragraph.lines().allMatch(line -> MAIL_HEAD.matcher(line).matches());
    }

    /** Whether a paragraph is a mark's heading, or one that the passage is known by. */
    private boolean isNamed(String paragraph, String text) {
        return HEADING_MARK.matcher(paragraph).find() || (!sentences.isEmpty() && names.contains(text));
    }

    /** Whether a paragraph names what follows: it is known or marked so, or a short line that does not end as a sentence does. */
    private boolean isHeading(String paragraph, String text) {
        return HEADING_MARK.matcher(paragraph).find()
                || names.contains(text)
                || (paragraph.startsWith(text)
                        && text.length() <= MAX_HEADING_LENGTH
                        && !BREAK.matcher(text).find()
                        && !END_OF_SENTENCE.matcher(text).find());
    }

    /** The end of a first line that names the text below it: it is shorter, does not end as a sentence does, and the next one begins one. */
    private static int lead(String paragraph) {
        int end = paragraph.indexOf('\n');
        if (end < 0
                || end > MAX_LEAD_LENGTH
                || END_OF_SENTENCE.matcher(paragraph.substring(0, end)).find()) {
            return 0;
        }
        var below = paragraph.substring(end + 1).strip();
        int next = below.indexOf('\n') < 0 ? below.length() : below.indexOf('\n');
        return Character.isUpperCase(paragraph.codePointAt(0))
                        && Character.isUpperCase(below.codePointAt(0))
                        && next > end
                ? end
                : 0;
    }

    private static String cut(String text) {
        return text.codePointCount(0, text.length()) <= MAX_SENTENCE_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_SENTENCE_LENGTH)) + "…";
    }
}
