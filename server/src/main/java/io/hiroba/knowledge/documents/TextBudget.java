package io.hiroba.knowledge.documents;

/** Limits the text that is taken out of a document, whose parts may repeat one another any number of times. */
final class TextBudget {

    private static final int MAX_LENGTH = 50_000_000;

    private long length;

    /** Counts a text and returns it. */
    String take(String text) {
        length += text.length();
        if (length > MAX_LENGTH) {
            throw ArchiveParts.tooLarge();
        }
        return text;
    }
}
