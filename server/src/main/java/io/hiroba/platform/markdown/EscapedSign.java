package io.hiroba.platform.markdown;

import java.util.Map;
import java.util.Set;
import org.commonmark.node.CustomNode;
import org.commonmark.parser.beta.InlineContentParser;
import org.commonmark.parser.beta.InlineContentParserFactory;
import org.commonmark.parser.beta.InlineParserState;
import org.commonmark.parser.beta.ParsedInline;

/**
 * An {@code @} or {@code #} after a backslash, or as a character reference: characters that begin no mention and no tag. The
 * parser's own escapes become part of the text around them, where nothing tells them from other characters.
 */
final class EscapedSign extends CustomNode {

    private final String literal;

    private EscapedSign(String literal) {
        this.literal = literal;
    }

    String literal() {
        return literal;
    }

    /** Reads the escapes of the two signs, and leaves every other one to the parser. */
    static final class SignReader implements InlineContentParser, InlineContentParserFactory {

        private static final Map<String, Character> ESCAPES = Map.of(
                "\\@", '@',
                "\\#", '#',
                "&#64;", '@',
                "&#x40;", '@',
                "&commat;", '@',
                "&#35;", '#',
                "&#x23;", '#',
                "&num;", '#');

        @Override
        public Set<Character> getTriggerCharacters() {
            return Set.of('\\', '&');
        }

        @Override
        public InlineContentParser create() {
            return this;
        }

        @Override
        public ParsedInline tryParse(InlineParserState state) {
            var scanner = state.scanner();
            for (var escape : ESCAPES.entrySet()) {
                if (scanner.next(escape.getKey())) {
                    char sign = escape.getValue();
                    // More of them are still no beginning.
                    int more = scanner.matchMultiple(sign);
                    return ParsedInline.of(new EscapedSign(String.valueOf(sign).repeat(1 + more)), scanner.position());
                }
            }
            return ParsedInline.none();
        }
    }
}
