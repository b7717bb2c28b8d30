package io.hiroba.platform.text;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/**
 * Splits a text into its tokens: words by the rules of Unicode, in lower case, without accents and English endings;
 * in scripts that put no spaces between words, each character and each pair of neighbours.
 */
public final class Analysis {

    /** Grows with every change that makes other tokens of some text. */
    public static final int VERSION = 2;

    private static final Set<String> WITHOUT_SPACES = Set.of(
            StandardTokenizer.TOKEN_TYPES[StandardTokenizer.IDEOGRAPHIC],
            StandardTokenizer.TOKEN_TYPES[StandardTokenizer.HIRAGANA],
            StandardTokenizer.TOKEN_TYPES[StandardTokenizer.KATAKANA],
            StandardTokenizer.TOKEN_TYPES[StandardTokenizer.HANGUL],
            StandardTokenizer.TOKEN_TYPES[StandardTokenizer.SOUTHEAST_ASIAN]);

    private final Folding folding;
    private final List<Token> tokens = new ArrayList<>();
    private final CharacterRun run = new CharacterRun();
    private int position;

    private Analysis(Folding folding) {
        this.folding = folding;
    }

    /** All tokens of {@code text}, in the order of their positions. */
    public static List<Token> tokens(String text) {
        var analysis = new Analysis(Folding.of(text));
        try {
            analysis.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(analysis.tokens);
    }

    /** The same text, with what no database can hold replaced character by character. */
    public static String clean(String text) {
        return Folding.clean(text);
    }

    /** One spelling of a name that is compared as a whole, not word by word. */
    public static String name(String text) {
        return Folding.name(text);
    }

    private void read() throws IOException {
        var source = new StandardTokenizer();
        source.setReader(new StringReader(folding.text()));
        try (TokenStream stream = new PorterStemFilter(
                new ASCIIFoldingFilter(new LowerCaseFilter(new EnglishPossessiveFilter(source))))) {
            var term = stream.addAttribute(CharTermAttribute.class);
            var offset = stream.addAttribute(OffsetAttribute.class);
            var type = stream.addAttribute(TypeAttribute.class);
            stream.reset();
            while (stream.incrementToken()) {
                if (WITHOUT_SPACES.contains(type.type())
                        && term.length() == offset.endOffset() - offset.startOffset()) {
                    if (offset.startOffset() != run.end()) {
                        finishRun();
                    }
                    run.add(term, offset.startOffset());
                } else if (!term.isEmpty()) {
                    finishRun();
                    add(term.toString(), offset.startOffset(), offset.endOffset(), false);
                    position++;
                }
            }
            stream.end();
        }
        finishRun();
    }

    private void finishRun() {
        for (int i = 0; i < run.size(); i++) {
            add(run.text(i, i + 1), run.start(i), run.end(i), run.size() > 1);
            if (i + 1 < run.size()) {
                add(run.text(i, i + 2), run.start(i), run.end(i + 1), false);
            }
            position++;
        }
        run.clear();
    }

    private void add(String term, int start, int end, boolean part) {
        tokens.add(new Token(term, position, folding.start(start), folding.end(end), part));
    }
}
