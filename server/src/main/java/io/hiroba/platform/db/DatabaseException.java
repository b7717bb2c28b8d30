package io.hiroba.platform.db;

import io.hiroba.platform.i18n.Text;
import org.jspecify.annotations.Nullable;

/** Thrown when the database cannot be used, with a sentence for the operator. */
public final class DatabaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Text sentence;

    DatabaseException(Text sentence) {
        this(sentence, null);
    }

    DatabaseException(Text sentence, @Nullable Throwable cause) {
        super(sentence.toString(), cause);
        this.sentence = sentence;
    }

    public Text sentence() {
        return sentence;
    }
}
