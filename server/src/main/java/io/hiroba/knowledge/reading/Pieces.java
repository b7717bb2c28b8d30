package io.hiroba.knowledge.reading;

import io.hiroba.knowledge.KnowledgeProblem;

/** How many paragraphs, rows, items or messages a document may have: each costs more than its letters. */
final class Pieces {

    static final int MOST = 500_000;

    private Pieces() {}

    static void check(int count) {
        if (count > MOST) {
            throw KnowledgeProblem.tooManyPieces();
        }
    }
}
