package io.hiroba.knowledge.documents;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/** Counts tokens as OpenAI's embedding models do, which is close enough for others. */
public final class TokenCounter {

    /** Reading its table takes a moment, so it is read when the first text is counted. */
    private static final class Loaded {
        static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);
    }

    /** Texts have some four characters a token; what has so many of them in one is hardly a text. */
    private static final int MAX_CHARACTERS_PER_TOKEN = 16;

    private TokenCounter() {}

    public static int count(String text) {
        return Loaded.ENCODING.countTokensOrdinary(text);
    }

    /**
     * Whether {@code text} has no more than {@code max} tokens. What has far more is not counted to its end, which takes
     * long where it has no spaces; a text of hardly anything but white space may be taken for one that has more.
     */
    public static boolean fit(String text, int max) {
        return text.length() <= (long) max * MAX_CHARACTERS_PER_TOKEN && count(text) <= max;
    }
}
