package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.search.Hit;
import io.hiroba.platform.text.Passage.Piece;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A passage that was found.
 *
 * @param passage its place on its source's page
 * @param around its surroundings, as a piece of a page
 * @param original where it stands outside, if that can be looked at
 * @param percent the score, as a share of the best one's
 */
public record HitItem(
        String chunk,
        String source,
        String title,
        Kind kind,
        String label,
        List<Piece> snippet,
        String passage,
        String around,
        @Nullable String original,
        String score,
        int percent) {

    private static final int WHOLE = 100;
    private static final int LEAST_SEEN = 2;

    static List<HitItem> of(List<Hit> hits) {
        double best = hits.stream().mapToDouble(Hit::score).max().orElse(0);
        return hits.stream().map(hit -> of(hit, best)).toList();
    }

    private static HitItem of(Hit hit, double best) {
        long percent = best > 0 ? Math.round(hit.score() / best * WHOLE) : 0;
        return new HitItem(
                hit.chunk().hex(),
                hit.source().hex(),
                hit.sourceTitle(),
                Kind.of(hit.sourceType()),
                hit.label(),
                hit.snippet(),
                Paths.passage(hit.source(), hit.chunk()),
                Paths.around(hit.source(), hit.chunk()),
                Paths.original(hit.url()),
                String.format(Locale.ROOT, "%.2f", hit.score()),
                Math.clamp(percent, LEAST_SEEN, WHOLE));
    }
}
