package io.hiroba.platform.text;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Names that end or begin with signs, which the rules for words leave out: {@code C++}, {@code C#}, {@code .NET}. Each is a token beside that
 * of its letters.
 */
public final class SignedName {

    private static final int MAX_LENGTH = 16;

    private SignedName() {}

    /** The tokens of {@code text}, each that is the letters of such a name followed by the name. */
    public static List<Token> with(List<Token> tokens, String text) {
        var all = new ArrayList<Token>(tokens.size());
        for (var token : tokens) {
            all.add(token);
            at(token, text).ifPresent(all::add);
        }
        return all;
    }

    /** The name whose letters are a token of {@code text}. */
    public static Optional<Token> at(Token token, String text) {
        var word = text.substring(token.start(), token.end());
        if (word.length() > MAX_LENGTH
                || !isLatin(word.charAt(0))
                || !word.chars().allMatch(SignedName::isOfWord)) {
            return Optional.empty();
        }
        int before =
                sign(text, token.start() - 1) == '.' && isFree(text, token.start() - 2) && word.length() > 1 ? 1 : 0;
        int after = signsAfter(text, token.end());
        if (before + after == 0) {
            return Optional.empty();
        }
        int start = token.start() - before;
        int end = token.end() + after;
        var term = Normalizer.normalize(text.substring(start, end), Normalizer.Form.NFKC)
                .toLowerCase(Locale.ROOT);
        return Optional.of(new Token(term, token.position(), start, end, false));
    }

    private static int signsAfter(String text, int end) {
        if (sign(text, end) == '+' && sign(text, end + 1) == '+') {
            return sign(text, end + 2) != '+' && !isLetter(text, end + 2) ? 2 : 0;
        }
        return sign(text, end) == '#' && sign(text, end + 1) != '#' && !isOfWord(sign(text, end + 1)) ? 1 : 0;
    }

    /** The character at {@code index} in its narrow form; a space where there is none. */
    private static char sign(String text, int index) {
        char c = index >= 0 && index < text.length() ? text.charAt(index) : ' ';
        return c >= '\uFF01' && c <= '\uFF5E' ? (char) (c - 0xFEE0) : c;
    }

    private static boolean isFree(String text, int index) {
        char c = sign(text, index);
        return !isOfWord(c) && c != '.' && c != '_' && c != ')' && c != ']';
    }

    private static boolean isLetter(String text, int index) {
        return isLatin(sign(text, index));
    }

    private static boolean isOfWord(int c) {
        return Character.isDigit(c) || isLatin(c);
    }

    private static boolean isLatin(int c) {
        return UnicodeScript.of(c) == UnicodeScript.LATIN;
    }
}
