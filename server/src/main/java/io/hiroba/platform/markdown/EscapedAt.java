package io.hiroba.platform.markdown;

import java.util.Set;
import org.commonmark.node.CustomNode;
import org.commonmark.parser.beta.InlineContentParser;
import org.commonmark.parser.beta.InlineContentParserFactory;
import org.commonmark.parser.beta.InlineParserState;
import org.commonmark.parser.beta.ParsedInline;

/**
 * An {@code @} after a backslash: a character that begins no mention. The parser's own escapes become part of the text around
 * them, where nothing tells them from other characters.
 */
final class EscapedAt extends CustomNode {

    /** Reads {@code \@}, and leaves every other backslash to the parser. */
    static final class AtReader implements InlineContentParser, InlineContentParserFactory {

        @Override
        public Set<Character> getTriggerCharacters() {
            return Set.of('\\');
        }

        @Override
        public InlineContentParser create() {
            return this;
        }

        @Override
        public ParsedInline tryParse(InlineParserState state) {
            var scanner = state.scanner();
            scanner.next();
            if (!scanner.next('@')) {
                return ParsedInline.none();
            }
            return ParsedInline.of(new EscapedAt(), scanner.position());
        }
    }
}
