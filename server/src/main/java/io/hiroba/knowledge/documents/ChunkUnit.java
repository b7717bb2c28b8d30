package io.hiroba.knowledge.documents;

import org.jspecify.annotations.Nullable;

/**
 * A unit of text that no chunk boundary splits.
 *
 * @param glue what stands between it and the one before, if both are in one chunk
 * @param paragraph the place of its block in the section, from 0
 * @param start where in the document's text it begins
 * @param message the first message it contains, if it is of a chat
 */
record ChunkUnit(
        String text,
        String glue,
        int paragraph,
        int start,
        int tokens,
        @Nullable Spoken message) {

    /** The part of a message that a location names. */
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
