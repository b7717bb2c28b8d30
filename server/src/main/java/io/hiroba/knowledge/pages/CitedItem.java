package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.ask.Citation;
import io.hiroba.platform.text.Passage.Piece;
import java.util.List;

/**
 * A passage that an answer may cite.
 *
 * @param number what an answer cites it by
 * @param passage its place on its source's page
 * @param around its surroundings, as a piece of a page
 */
public record CitedItem(int number, String title, String label, List<Piece> snippet, String passage, String around) {

    public CitedItem {
        snippet = List.copyOf(snippet);
    }

    static List<CitedItem> of(List<Citation> passages) {
        return passages.stream().map(CitedItem::of).toList();
    }

    private static CitedItem of(Citation citation) {
        var hit = citation.passage();
        return new CitedItem(
                citation.number(),
                hit.sourceTitle(),
                hit.label(),
                hit.snippet(),
                Paths.passage(hit.source(), hit.chunk()),
                Paths.around(hit.source(), hit.chunk()));
    }
}
