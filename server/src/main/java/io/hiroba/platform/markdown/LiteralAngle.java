package io.hiroba.platform.markdown;

import java.util.Set;
import java.util.regex.Pattern;
import org.commonmark.node.Link;
import org.commonmark.node.Text;
import org.commonmark.parser.beta.InlineContentParser;
import org.commonmark.parser.beta.InlineContentParserFactory;
import org.commonmark.parser.beta.InlineParserState;
import org.commonmark.parser.beta.ParsedInline;
import org.commonmark.parser.beta.Scanner;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code <} as an automatic link where it opens one and as a plain character everywhere else.
 *
 * <p>It handles every {@code <}, so the parser's own inline HTML is never used: trees contain no raw HTML, and an unclosed
 * {@code <!--} or {@code <?} repeated ten thousand times is not searched for its end.
 */
final class LiteralAngle implements InlineContentParser, InlineContentParserFactory {

    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9.+-]{1,31}:.*");
    private static final Pattern EMAIL =
            Pattern.compile("[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){0,8}");

    @Override
    public Set<Character> getTriggerCharacters() {
        return Set.of('<');
    }

    @Override
    public InlineContentParser create() {
        return this;
    }

    @Override
    public ParsedInline tryParse(InlineParserState state) {
        var scanner = state.scanner();
        scanner.next();
        var afterAngle = scanner.position();
        int length = scanner.match(LiteralAngle::insideLink);
        if (length > 0 && length <= Destination.MAX_LENGTH && scanner.peek() == '>') {
            var written = scanner.getSource(afterAngle, scanner.position()).getContent();
            var link = link(written);
            if (link != null) {
                scanner.next();
                return ParsedInline.of(link, scanner.position());
            }
        }
        return ParsedInline.of(new Text("<"), afterAngle);
    }

    private static @Nullable Link link(String written) {
        String address;
        if (URL.matcher(written).matches()) {
            address = written;
        } else if (EMAIL.matcher(written).matches()) {
            address = "mailto:" + written;
        } else {
            return null;
        }
        var link = new Link(address, null);
        link.appendChild(new Text(written));
        return link;
    }

    // A second "<" ends the search, so that no character is scanned from more than one opening angle.
    private static boolean insideLink(char c) {
        return c > ' ' && c != '<' && c != '>' && c != Scanner.END;
    }
}
