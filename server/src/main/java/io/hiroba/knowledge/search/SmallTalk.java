package io.hiroba.knowledge.search;

import java.util.regex.Pattern;

/** Greetings, thanks and the like, which ask nothing. */
public final class SmallTalk {

    private static final int MAX_LENGTH = 100;

    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");

    /** Nothing, or what people say before and after what they ask. */
    private static final Pattern PHRASES = Pattern.compile("(?iu)(?:(?:hello|hi|hey|hiya|howdy|greetings|good"
            + " (?:morning|afternoon|evening|day|night)|how are you|nice to meet you|welcome|thanks|thank"
            + " you|thx|cheers|bye|goodbye|see you|ok|okay|great|nice|perfect|got it|that (?:is|s)"
            + " (?:all|it)|there|again|all|everyone|friend|so much|very much|a lot|for (?:that|this|your help|the"
            + " help|the answer)|こんにちは|こんにちわ|こんばんは|おはよう(?:ございます)?|はじめまして|初めまして|よろしく(?:お願いします|おねがいします)?|やあ"
            + "|どうも|ありがとう(?:ございます|ございました)?|有難うございます|有難う|感謝します|お疲れ様(?:です|でした)?|おつかれさま(?:です|でした)?"
            + "|さようなら|おやすみ(?:なさい)?|了解(?:です|しました)?|わかりました|分かりました"
            + "|你好|您好|大家好|嗨|哈喽|早上好|早安|下午好|晚上好|晚安|谢谢(?:你|您)?|謝謝(?:你|您)?|多谢|多謝|感谢|感謝|再见|再見|拜拜|好的|明白了?)\\s*)*");

    private SmallTalk() {}

    /** Whether a text asks nothing: it is empty, signs alone, or such phrases. */
    public static boolean is(String text) {
        var words = NO_WORD.matcher(text).replaceAll(" ").strip();
        return words.length() <= MAX_LENGTH && PHRASES.matcher(words).matches();
    }
}
