package io.hiroba.platform.markdown;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** A parsed text as its blocks. */
public record Document(List<HtmlNode> blocks) {

    private static final Pattern INVISIBLE = Pattern.compile("[\\s\\p{Z}\\p{Cc}\\p{Cf}]*+");

    public Document {
        blocks = List.copyOf(blocks);
    }

    /** Safe to be put into a page as it is. */
    public String html() {
        return HtmlWriter.html(blocks);
    }

    /** The same with other nodes for each run of characters, but for those inside links and code. */
    public Document replacingText(Function<HtmlNode.Text, List<HtmlNode>> others) {
        return new Document(TextReplacement.in(blocks, others));
    }

    public Snippet snippet() {
        return Snippet.of(this);
    }

    /** The words without markup; one line a block, image descriptions included. */
    public String text() {
        return TextWriter.text(blocks);
    }

    /** Whether it shows nothing: neither an image nor a rule, and no text but white space and format characters. */
    public boolean isBlank() {
        return INVISIBLE.matcher(text()).matches() && blocks.stream().noneMatch(Document::hasImageOrRule);
    }

    private static boolean hasImageOrRule(HtmlNode node) {
        return node instanceof HtmlNode.Element element
                && (element.tag() == HtmlTag.IMG
                        || element.tag() == HtmlTag.HR
                        || element.children().stream().anyMatch(Document::hasImageOrRule));
    }
}
