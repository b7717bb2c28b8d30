package io.hiroba.knowledge.embedding;

import io.hiroba.platform.i18n.Text;
import org.jspecify.annotations.Nullable;

/** A model that cannot be installed or used, with a sentence for the operator. */
final class ModelException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Text sentence;

    ModelException(Text sentence) {
        this(sentence, null);
    }

    ModelException(Text sentence, @Nullable Throwable cause) {
        super(sentence.toString(), cause);
        this.sentence = sentence;
    }

    Text sentence() {
        return sentence;
    }
}
