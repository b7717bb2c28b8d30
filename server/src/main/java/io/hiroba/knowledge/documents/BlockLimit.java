package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;

/** Limits the paragraphs, rows, items or messages of a document: each costs more than its characters. */
final class BlockLimit {

    static final int MAX_BLOCKS = 500_000;

    private BlockLimit() {}

    static void check(int count) {
        if (count > MAX_BLOCKS) {
            throw KnowledgeProblem.tooManyBlocks();
        }
    }
}
