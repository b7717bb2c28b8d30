package io.hiroba.knowledge.search;

import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Token;
import java.lang.Character.UnicodeScript;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The share of its inverse frequency that a token of a question counts with. Words that make a sentence a question or
 * hold it together tell nothing about what is asked, however rare they are among few chunks; in scripts without spaces,
 * pairs of characters that lie across two words tell little.
 */
final class TermShare {

    private static final String ENGLISH = """
            a about above after again all also although always am among an and another any anybody anyone anything are
            aren't around as at be because been before being below between both but by can can't cannot could couldn't
            did didn't do does doesn't doing don't done down during each either else ever every everyone everything few
            find for from further get gets getting give gives go goes going gonna got had hadn't has hasn't have haven't
            having he he'd he'll he's hello help her here hers herself hey hi him himself his how however i i'd i'll i'm i've
            if in into is isn't it it'd it'll it's its itself just kindly know let let's like make many may maybe me might
            mine more most much must my myself neither never no nobody none nor not nothing now of off often ok on once
            one only onto or other others otherwise ought our ours ourselves out over own per perhaps please
            quite rather really said same say says shall she she'd she'll she's should shouldn't show since so some somebody
            someone something still such tell than thank thanks that that'd that'll that's the their theirs them themselves
            then there there's therefore these they they'd they'll they're they've thing things this those though through
            thus to told too under until up upon us very want wants was wasn't we we'd we'll we're we've were weren't what
            what's whatever when whenever where wherever whether which whichever while who who'd who's whoever whom whose
            why will with within without won't would wouldn't yes yet you you'd you'll you're you've your yours
            yourself yourselves
            """;

    private static final Set<String> WRITTEN = Set.of(ENGLISH.strip().split("\\s+"));
    private static final Set<String> WORDS = terms(ENGLISH);

    /** What Chinese and Japanese questions are put together with; each pair of neighbours in it counts as little. */
    private static final Set<String> PAIRS = pairs("""
            请问 怎么 怎么办 怎样 什么 什么时候 为什么 如何 哪里 哪儿 哪个 哪些 哪一 多少 多久 多长 几个 是否 可以 可不可以 能不能
            能否 需要 应该 会不会 有没有 是不是 要不要 我们 你们 他们 我的 你的 您的 这个 那个 这些 那些 这样 一个 一下 一些 如果 但是
            因为 所以 以及 或者 还是 的话 的时候 时候 之前 之后 关于 告诉我 我想 想知道 知道 情况下
            何ですか 何を 何が 何で 教えて 教えてください 知りたい 場合は 場合に 場合
            """);

    private static final Set<String> CHARACTERS = characters("的了吗呢吧啊嘛么们这那哪谁我你您他她它是在和与就也都很着把被让请什怎何");

    private static final double FUNCTION = 0;
    private static final double ONE_OF_A_RUN = 0.4;
    private static final double ACROSS_WORDS = 0.4;
    private static final double HIRAGANA = 0.2;

    private TermShare() {}

    private static Set<String> terms(String text) {
        return Analysis.tokens(text).stream().map(Token::term).collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> pairs(String text) {
        return Arrays.stream(text.split("\\s+"))
                .flatMap(word -> Analysis.tokens(word).stream())
                .filter(token -> !token.part())
                .map(Token::term)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> characters(String text) {
        return text.codePoints().mapToObj(Character::toString).collect(Collectors.toUnmodifiableSet());
    }

    /** The share of a token of {@code text}, from 0 to 1. */
    static double of(Token token, String text) {
        var term = token.term();
        if (isFunction(token, text)) {
            return FUNCTION;
        }
        int[] characters = term.codePoints().limit(2).toArray();
        if (token.part()) {
            return isHan(characters[0]) ? ONE_OF_A_RUN : 0;
        }
        if (characters.length < 2) {
            return isHiragana(characters[0]) ? FUNCTION : 1;
        }
        if (isHiragana(characters[0]) && isHiragana(characters[1])) {
            return HIRAGANA;
        }
        return isLoose(characters[0]) || isLoose(characters[1]) ? ACROSS_WORDS : 1;
    }

    /** Whether a token of {@code text} only makes a sentence of the others, in any of the languages. */
    static boolean isFunction(Token token, String text) {
        return isFunctionWord(token, text) || PAIRS.contains(token.term()) || CHARACTERS.contains(token.term());
    }

    /**
     * Whether a token of {@code text} is an English word that only makes a sentence of the others. Some have the terms of other
     * words, as {@code has} has that of {@code HA}: of these, it is as they are written.
     */
    static boolean isFunctionWord(Token token, String text) {
        return isFunctionTerm(token.term())
                && (WRITTEN.contains(token.term())
                        || WRITTEN.contains(text.substring(token.start(), token.end())
                                .toLowerCase(Locale.ROOT)
                                .replace('’', '\'')));
    }

    /** Whether a word that only makes a sentence of the others has this term. */
    static boolean isFunctionTerm(String term) {
        return WORDS.contains(term);
    }

    private static boolean isLoose(int character) {
        return isHiragana(character) || CHARACTERS.contains(Character.toString(character));
    }

    private static boolean isHan(int character) {
        return UnicodeScript.of(character) == UnicodeScript.HAN;
    }

    private static boolean isHiragana(int character) {
        return UnicodeScript.of(character) == UnicodeScript.HIRAGANA;
    }
}
