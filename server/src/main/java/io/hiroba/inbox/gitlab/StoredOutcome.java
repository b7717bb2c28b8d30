package io.hiroba.inbox.gitlab;

import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;

/** The outcome of a delivery as it fits its column. */
final class StoredOutcome {

    private static final int MAX_LENGTH = 500;

    private StoredOutcome() {}

    /** One that is too long is stored as it reads in English, cut. */
    static String of(Text outcome) {
        var stored = StoredText.write(outcome);
        return stored.length() <= MAX_LENGTH ? stored : ofWords(outcome.toString());
    }

    /** Words of another program, such as the message of an exception. */
    static String ofWords(String words) {
        var clean = words.replace('\0', ' ');
        return clean.length() <= MAX_LENGTH ? clean : clean.substring(0, MAX_LENGTH);
    }
}
