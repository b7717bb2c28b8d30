package io.hiroba.knowledge.search;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.ScriptLanguage;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The words of a question that say what it is about, and those that point at what was said before. */
final class QuestionWords {

    private static final Set<String> POINTING_WORDS =
            Set.of(("it its this that these those they them their he him his she her hers one ones same other others"
                            + " former latter")
                    .split(" ", -1));

    /** Without those that are parts of other words, such as that for {@code should} or {@code mushroom}. */
    private static final Pattern POINTING_CHARACTERS = Pattern.compile(
            "それ|これ|あれ(?!ば)|その(?!他)|(?<!の)この|あの|そこ|ここ|彼" + "|(?<!其)它|他们|她|(?<!其)他|这|那|(?<!尤)其(?!他|它|实|中)|(?<!应)该");

    /** Questions that leave out what they ask: they go on from the one before, or name another case of it, and ask nothing themselves. */
    private static final Pattern CONTINUATION = Pattern.compile("(?iu)^\\s*(?:(?:what|how)"
            + " about\\b|(?:and|but|or|also|then|same)\\b"
            + "(?!.*\\b(?:what|who|whom|whose|when|where|why|how|which|is|are|was|were|do|does|did|can|could|should|will|would|may|must)\\b)"
            + "|(?:では|じゃあ|じゃ|それなら|逆に|それと|あと)[、,\\s]*(?!.*(?:何|いつ|どこ|どう|なぜ|だれ|誰|いくら|ですか|ますか))"
            + "|(?:那么?|还有|以及|如果是)(?!.*(?:什么|怎么|哪|多少|几|谁|吗|为何|如何))).*|^.{1,12}(?:は|だと|の場合は|なら|呢)\\s*[?？]?\\s*$");

    private static final Pattern WORD = Pattern.compile("\\.?[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}'’_.-]*(?:\\+\\+|#)?");
    private static final Pattern UNSPACED = Pattern.compile("[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}]");

    /** A question with fewer words of its own than this may rely on those before it. */
    private static final int FEW_WORDS = 3;

    private static final int FEW_CHARACTERS = 8;

    /** What a word counts that says nothing, where a question has no others. */
    private static final double LEAST_SHARE = 0.2;

    /** The share of the meaning that a term of a word has at least. */
    private static final double LEAST_OF_SUBJECT = 0.5;

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

    /** The language of a question; {@code reader} where its words may be of another one: names, or characters that two languages share. */
    static Language language(String question, Language reader) {
        return ScriptLanguage.of(question)
                .filter(language -> language == Language.JAPANESE
                        || (language == Language.CHINESE && reader != Language.JAPANESE)
                        || Analysis.tokens(question).stream()
                                .anyMatch(token -> !token.part() && TermShare.isFunction(token, question)))
                .orElse(reader);
    }

    private static boolean isFunctionWord(String word) {
        return Analysis.tokens(word).stream()
                .filter(token -> !token.part())
                .allMatch(token -> TermShare.isFunction(token, word));
    }

    /** Whether a question goes on from the one before with words of its own: another case of it, or another thing to know. */
    static boolean goOn(String question) {
        return CONTINUATION.matcher(question).matches()
                && areFew(question)
                && !of(question).isEmpty();
    }

    /** Whether a question points at what was said before, goes on from it, or has no words of its own. */
    static boolean pointBack(String question) {
        return goOn(question)
                || WORD.matcher(question)
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
        return telling(question).stream().map(SpelledTerm::plain).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The same, each with its share of the meaning: pairs of characters that lie across two words have little of it. */
    static Map<String, Double> shares(String question) {
        var shares = new LinkedHashMap<String, Double>();
        telling(question)
                .forEach(term -> shares.merge(
                        term.plain(), Math.max(LEAST_SHARE, TermShare.of(term.token(), question)), Math::max));
        return shares;
    }

    /** Those of {@link #terms} that say what a question is about, without pairs of characters that lie across two words. */
    static Set<String> subjects(String question) {
        return shares(question).entrySet().stream()
                .filter(each -> each.getValue() > LEAST_OF_SUBJECT)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The same, to be marked in a passage. */
    static List<Phrase> phrases(String question) {
        return telling(question).stream()
                .flatMap(term -> term.spellings().stream())
                .distinct()
                .toList();
    }

    private static List<SpelledTerm> telling(String question) {
        var all = SpelledTerm.of(question).stream()
                .filter(term -> !term.token().part())
                .toList();
        var telling = all.stream()
                .filter(term -> !TermShare.isFunction(term.token(), question)
                        && !POINTING_WORDS.contains(question.substring(
                                        term.token().start(), term.token().end())
                                .toLowerCase(Locale.ROOT)))
                .toList();
        return telling.isEmpty() ? all : telling;
    }
}
