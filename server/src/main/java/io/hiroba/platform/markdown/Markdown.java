package io.hiroba.platform.markdown;

import java.util.List;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.autolink.AutolinkExtension;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.ListBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.Parser;
import org.commonmark.parser.SourceLines;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Parses what people write (CommonMark with GitHub's tables, task lists, strikethrough and automatic links) into a {@link
 * Document}. Any string is valid: what is not allowed is shown as it was written.
 */
public final class Markdown {

    // People nest a few levels; each level costs stack here and indentation on a phone.
    static final int MAX_BLOCK_NESTING = 20;
    static final int MAX_INLINE_NESTING = 16;
    // A row as short as "|" is filled up to the width of its header, so the cells of a table, unlike everything else,
    // can outgrow the characters it was written with.
    private static final int MAX_CELLS = 10_000;

    // Each link looks back at every bracket still open before it, and a run of tildes at every run that it cannot
    // close: beyond these counts the square of them would be felt.
    private static final int MAX_BRACKETS = 5_000;
    private static final int MAX_TILDE_RUNS = 1_000;

    // Each of these looks for its end, up to the end of its block.
    private static final int MAX_HTML_DECLARATIONS = 500;

    private static final List<Extension> EXTENSIONS = List.of(
            TablesExtension.builder().maxCells(MAX_CELLS).build(),
            StrikethroughExtension.create(),
            AutolinkExtension.create());
    private static final Parser PARSER = withoutHtml().extensions(EXTENSIONS).build();
    private static final Parser BLOCKS_ONLY =
            withoutHtml().inlineParserFactory(context -> Markdown::unread).build();
    private static final Parser WITH_HTML = builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().extensions(EXTENSIONS).build();

    private Markdown() {}

    /**
     * Parses a text. Beyond limits of brackets, tildes and table cells that no real text reaches, only blocks are parsed, and
     * inline markup is shown as it was written.
     */
    public static Document parse(String markdown) {
        var written = Characters.clean(markdown);
        return new Document(new TreeReader(written.length()).blocks(tree(PARSER, written)));
    }

    private static Node tree(Parser parser, String written) {
        if (excessive(written)) {
            return BLOCKS_ONLY.parse(written);
        }
        try {
            return parser.parse(written);
        } catch (IllegalArgumentException tooManyCells) {
            return BLOCKS_ONLY.parse(written);
        }
    }

    private static boolean excessive(String written) {
        int brackets = 0;
        int tildeRuns = 0;
        int declarations = 0;
        char before = ' ';
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c == '[') {
                brackets++;
            } else if (c == '~' && before != '~') {
                tildeRuns++;
            } else if (before == '<' && (c == '!' || c == '?')) {
                declarations++;
            }
            before = c;
        }
        return brackets > MAX_BRACKETS || tildeRuns > MAX_TILDE_RUNS || declarations > MAX_HTML_DECLARATIONS;
    }

    // HTML blocks are not among the enabled ones, so that "<script>" begins a paragraph like any other word.
    private static Parser.Builder withoutHtml() {
        return builder()
                .enabledBlockTypes(Set.of(
                        Heading.class,
                        ThematicBreak.class,
                        FencedCodeBlock.class,
                        IndentedCodeBlock.class,
                        BlockQuote.class,
                        ListBlock.class))
                .customInlineContentParserFactory(new LiteralAngle());
    }

    private static Parser.Builder builder() {
        return Parser.builder()
                .customInlineContentParserFactory(new EscapedSign.SignReader())
                .maxOpenBlockParsers(MAX_BLOCK_NESTING)
                .maxInlineNesting(MAX_INLINE_NESTING);
    }

    private static void unread(SourceLines lines, Node block) {
        block.appendChild(new Text(lines.getContent()));
    }

    /**
     * The prose of a text that may hold HTML, as other systems' may, to look for names in it: one line a block, without what code,
     * links, images, HTML comments and HTML attributes hold, and without an {@code @} after a backslash.
     */
    public static String prose(String markdown) {
        return ProseText.of(RENDERER.render(tree(WITH_HTML, Characters.clean(markdown))));
    }

    /** The words of a text without any markup, for search and excerpts. */
    public static String text(String markdown) {
        return parse(markdown).text();
    }
}
