package io.hiroba.knowledge.ask;

import io.hiroba.platform.text.Passage.Piece;
import java.util.List;

/** A passage as an answer cites it. */
record CitationView(
        int number,
        String chunkId,
        String sourceId,
        String sourceTitle,
        String url,
        String label,
        List<Piece> snippet) {

    static CitationView of(Citation citation) {
        var passage = citation.passage();
        return new CitationView(
                citation.number(),
                passage.chunk().hex(),
                passage.source().hex(),
                passage.sourceTitle(),
                passage.url(),
                passage.label(),
                passage.snippet());
    }
}
