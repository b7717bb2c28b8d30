package io.hiroba.backup;

import io.hiroba.platform.i18n.Text;

/** Thrown when a backup or a restoration cannot be made, with a sentence for the operator. */
final class BackupException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Text sentence;

    BackupException(Text sentence) {
        super(sentence.toString());
        this.sentence = sentence;
    }

    Text sentence() {
        return sentence;
    }
}
