package io.hiroba.knowledge.chunking;

import org.jspecify.annotations.Nullable;

/**
 * A piece of a section that no boundary goes through.
 *
 * @param glue what stands between it and the one before, if both are in one chunk
 * @param paragraph the place of its block in the section, from 0
 * @param start where in the document's text it begins
 * @param message the first message it holds, if it is of a conversation
 */
record Unit(
        String text,
        String glue,
        int paragraph,
        int start,
        int tokens,
        @Nullable Spoken message) {

    /** A message of a conversation, as far as a place names it. */
    record Spoken(int index, @Nullable String id, @Nullable String url) {}

    int end() {
        return start + text.length();
    }

    /** Whether a chunk that is large enough ends behind it. The text alone decides, so the same text ends it again. */
    boolean isBoundary() {
        int hash = text.hashCode();
        return ((hash ^ (hash >>> 16)) & 1) == 0;
    }
}
