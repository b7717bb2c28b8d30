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

    private static final Pattern POINTING_CHARACTERS = Pattern.compile("それ|これ|あれ|その|この|あの|そこ|ここ|彼|它|他们|她|他|这|那|其|该");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}'’_.-]*");
    private static final Pattern UNSPACED = Pattern.compile("[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}]");

    /** A question with fewer words of its own than this relies on those before it. */
    private static final int FEW_WORDS = 3;

    private static final int FEW_CHARACTERS = 8;

    private QuestionWords() {}

    /** The words as they were written, without those that say nothing by themselves. */
    static List<String> of(String question) {
        return WORD.matcher(question)
                .results()
                .map(MatchResult::group)
                .filter(word -> !POINTING_WORDS.contains(word.toLowerCase(Locale.ROOT))
                        && !Analysis.tokens(word).stream().allMatch(token -> TermShare.isFunctionWord(token, word)))
                .distinct()
                .toList();
    }

    /** Whether a question is short, or points at what was said before. */
    static boolean relyOnContext(String question) {
        boolean points = WORD.matcher(question)
                        .results()
                        .anyMatch(word -> POINTING_WORDS.contains(word.group().toLowerCase(Locale.ROOT)))
                || POINTING_CHARACTERS.matcher(question).find();
        long unspaced = UNSPACED.matcher(question).results().count();
        return points
                || (unspaced > 0 ? unspaced <= FEW_CHARACTERS : of(question).size() < FEW_WORDS);
    }

    /** The terms by which texts are compared with a question; all of them if none says anything by itself. */
    static Set<String> terms(String question) {
        var terms = terms(Analysis.tokens(String.join(" ", of(question))));
        return terms.isEmpty() ? terms(Analysis.tokens(question)) : terms;
    }

    static Set<String> terms(List<Token> tokens) {
        var terms = new LinkedHashSet<String>();
        tokens.stream().filter(token -> !token.part()).forEach(token -> terms.add(token.term()));
        return terms;
    }

    /** The same, to be marked in a passage. */
    static List<Phrase> phrases(String question) {
        var phrases = new ArrayList<Phrase>();
        terms(question).forEach(term -> phrases.add(Phrase.mark(term)));
        return phrases;
    }
}
