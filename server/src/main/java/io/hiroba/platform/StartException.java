package io.hiroba.platform;

import io.hiroba.platform.i18n.Text;
import org.jspecify.annotations.Nullable;

/** Thrown when the program cannot start, with a sentence for the operator. */
public final class StartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Text sentence;

    public StartException(Text sentence) {
        this(sentence, null);
    }

    public StartException(Text sentence, @Nullable Throwable cause) {
        super(sentence.toString(), cause);
        this.sentence = sentence;
    }

    public Text sentence() {
        return sentence;
    }
}
