package io.hiroba.knowledge.search;

import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.CharacterForms;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.SignedName;
import io.hiroba.platform.text.Token;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A term of a text with its spellings, each of which finds the others: kana of either script, simplified and traditional Chinese
 * characters, a code in one piece or in several, a version with and without its letter. What is stored has the words as they were written, so that it stays as it is when a spelling is added here.
 *
 * @param token the term as it stands in the text
 * @param plain the one of its spellings by which texts are compared
 */
record SpelledTerm(Token token, String plain, List<Phrase> spellings) {

    private static final Pattern CODE_PART = Pattern.compile("[\\p{IsLatin}\\p{Nd}]+");

    /** The letters or digits between which a code may be parted. */
    private static final Pattern ATOM = Pattern.compile("\\p{L}+|\\p{N}+");

    private static final Pattern JOINT = Pattern.compile("[-_\\u2010-\\u2013\\u2212\\uFF0D\\uFF3F]");

    /** Letters in a code of several parts that are not capitals: more of them are a word. */
    private static final int MAX_SMALL_LETTERS = 3;

    /** Codes of more are written in one way, or as they were typed. */
    private static final int MAX_ATOMS = 4;

    private static final int MAX_CODE_LENGTH = 32;

    SpelledTerm {
        spellings = List.copyOf(spellings);
    }

    /** The terms of {@code text} in their order; single characters of a run in a script without spaces are among them as parts. */
    static List<SpelledTerm> of(String text) {
        var tokens = Analysis.tokens(text);
        var terms = new ArrayList<SpelledTerm>();
        for (int i = 0; i < tokens.size(); i++) {
            var token = tokens.get(i);
            int end = codeEnd(tokens, i, text);
            if (end > i) {
                terms.add(code(tokens.subList(i, end), text));
                i = end - 1;
            } else {
                terms.add(SignedName.at(token, text)
                        .map(name -> new SpelledTerm(name, name.term(), List.of(Phrase.mark(name.term()))))
                        .orElseGet(() -> word(token)));
            }
        }
        return terms;
    }

    /** The terms of {@code text} by which it is compared with others. */
    static Set<String> plain(String text) {
        return of(text).stream()
                .filter(term -> !term.token.part())
                .map(SpelledTerm::plain)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static SpelledTerm word(Token token) {
        var spellings = CharacterForms.of(token.term());
        VersionNumber.otherSpelling(token.term()).ifPresent(spellings::add);
        return new SpelledTerm(
                token,
                VersionNumber.plain(CharacterForms.plain(token.term())),
                spellings.stream().map(Phrase::mark).toList());
    }

    /** The token behind the longest code that begins with a token; the token itself if none does. */
    private static int codeEnd(List<Token> tokens, int first, String text) {
        int end = first;
        while (end < tokens.size() && isCodePart(tokens, first, end, text)) {
            end++;
        }
        while (end > first && !isCode(tokens.subList(first, end), text)) {
            end--;
        }
        return end;
    }

    private static boolean isCodePart(List<Token> tokens, int first, int at, String text) {
        var token = tokens.get(at);
        return CODE_PART.matcher(written(token, text)).matches()
                && (at == first
                        || JOINT.matcher(text.substring(tokens.get(at - 1).end(), token.start()))
                                .matches())
                && token.end() - tokens.get(first).start() <= MAX_CODE_LENGTH;
    }

    private static String written(Token token, String text) {
        return Analysis.name(text.substring(token.start(), token.end()));
    }

    private static boolean isCode(List<Token> parts, String text) {
        var whole = text.substring(parts.getFirst().start(), parts.getLast().end());
        return whole.chars().anyMatch(Character::isDigit)
                && whole.chars().anyMatch(Character::isLetter)
                && (parts.size() == 1 || ATOM.matcher(whole).results().noneMatch(atom -> isWord(atom.group())));
    }

    private static boolean isWord(String atom) {
        return atom.length() > MAX_SMALL_LETTERS && atom.chars().anyMatch(Character::isLowerCase);
    }

    private static SpelledTerm code(List<Token> parts, String text) {
        var written = parts.stream().map(part -> written(part, text)).toList();
        var whole = String.join("", written);
        var atoms = ATOM.matcher(whole).results().map(MatchResult::group).toList();
        var spellings = new LinkedHashSet<Phrase>();
        spellings.add(Phrase.of(whole));
        spellings.add(Phrase.of(String.join("-", written)));
        if (atoms.size() <= MAX_ATOMS) {
            partings(atoms).forEach(parted -> spellings.add(Phrase.of(parted)));
        }
        var token = new Token(
                whole,
                parts.getFirst().position(),
                parts.getFirst().start(),
                parts.getLast().end(),
                false);
        return new SpelledTerm(token, whole, List.copyOf(spellings));
    }

    /** All ways to part a code between its atoms. */
    private static List<String> partings(List<String> atoms) {
        var all = List.of(atoms.getFirst());
        for (var atom : atoms.subList(1, atoms.size())) {
            all = all.stream()
                    .flatMap(before -> List.of(before + atom, before + "-" + atom).stream())
                    .toList();
        }
        return all;
    }
}
