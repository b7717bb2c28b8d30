package io.hiroba.knowledge.search;

import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.Token;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The words of a question that say what it is about, and those that point at what was said before. */
final class QuestionWords {

    private static final Set<String> POINTING_WORDS =
            Set.of(("it its this that these those they them their he him his she her hers one ones same other others"
                            + " former latter")
                    .split(" ", -1));

    /** Without those that are parts of other words, such as that for {@code should} or {@code mushroom}. */
    private static final Pattern POINTING_CHARACTERS = Pattern.compile(
            "それ|これ|あれ(?!ば)|その(?!他)|(?<!の)この|あの|そこ|ここ|彼" + "|(?<!其)它|他们|她|(?<!其)他|这|那|(?<!尤)其(?!他|它|实|中)|(?<!应)该");

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}'’_.-]*");
    private static final Pattern UNSPACED = Pattern.compile("[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}]");

    /** A question with fewer words of its own than this may rely on those before it. */
    private static final int FEW_WORDS = 3;

    private static final int FEW_CHARACTERS = 8;

    private QuestionWords() {}

    /** The words as they were written, without those that say nothing by themselves. */
    static List<String> of(String question) {
        return WORD.matcher(question)
                .results()
                .map(MatchResult::group)
                .filter(word -> !POINTING_WORDS.contains(word.toLowerCase(Locale.ROOT)) && !isFunctionWord(word))
                .distinct()
                .toList();
    }

    private static boolean isFunctionWord(String word) {
        return Analysis.tokens(word).stream()
                .filter(token -> !token.part())
                .allMatch(token -> TermShare.isFunction(token, word));
    }

    /** Whether a question points at what was said before, or has no words of its own. */
    static boolean pointBack(String question) {
        return WORD.matcher(question)
                        .results()
                        .anyMatch(word -> POINTING_WORDS.contains(word.group().toLowerCase(Locale.ROOT)))
                || POINTING_CHARACTERS.matcher(question).find()
                || of(question).isEmpty();
    }

    /** Whether a question is so short that it may leave out what was said before. */
    static boolean areFew(String question) {
        long unspaced = UNSPACED.matcher(question).results().count();
        return unspaced > 0 ? unspaced <= FEW_CHARACTERS : of(question).size() < FEW_WORDS;
    }

    /** The terms by which texts are compared with a question; all of them if none says anything by itself. */
    static Set<String> terms(String question) {
        var terms = terms(Analysis.tokens(String.join(" ", of(question))));
        return terms.isEmpty() ? terms(Analysis.tokens(question)) : terms;
    }

    static Set<String> terms(List<Token> tokens) {
        var terms = new LinkedHashSet<String>();
        tokens.stream().filter(token -> !token.part()).forEach(token -> terms.add(VersionNumber.plain(token.term())));
        return terms;
    }

    /** The same, to be marked in a passage. */
    static List<Phrase> phrases(String question) {
        var phrases = new ArrayList<Phrase>();
        for (var term : terms(question)) {
            phrases.add(Phrase.mark(term));
            VersionNumber.otherSpelling(term).map(Phrase::mark).ifPresent(phrases::add);
        }
        return phrases;
    }
}
