package io.hiroba.knowledge.chunking;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/** Counts the tokens of a text as the embedding models of OpenAI do, which is near enough for others. */
public final class Tokens {

    /** Reading its table takes a moment, so it is read when the first text is counted. */
    private static final class Loaded {
        static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);
    }

    private Tokens() {}

    public static int count(String text) {
        return Loaded.ENCODING.countTokensOrdinary(text);
    }
}
