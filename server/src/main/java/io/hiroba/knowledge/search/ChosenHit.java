package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.Relevance.Judged;
import io.hiroba.knowledge.search.SearchStore.Found;
import io.hiroba.platform.text.Passage;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A candidate that a search has chosen, with its text. */
record ChosenHit(Found found, Judged judged) {

    private static final int SNIPPET_LENGTH = 240;

    /** The texts of what was chosen, as far as they are still there. */
    static List<ChosenHit> of(List<Judged> chosen, List<Found> texts) {
        var byChunk = texts.stream().collect(Collectors.toMap(Found::chunk, Function.identity()));
        return chosen.stream()
                .flatMap(each -> Stream.ofNullable(byChunk.get(each.candidate().chunk()))
                        .map(found -> new ChosenHit(found, each)))
                .toList();
    }

    SearchHit shown(QueryTerms terms, double score) {
        var candidate = found.candidate();
        var url = found.url() == null
                ? "/knowledge/sources/%s?chunk=%s"
                        .formatted(candidate.source().hex(), candidate.chunk().hex())
                : found.url();
        return new SearchHit(
                candidate.chunk(),
                candidate.source(),
                found.title(),
                found.type(),
                score,
                Passage.of(found.content(), terms.shown(), SNIPPET_LENGTH),
                found.content(),
                url,
                found.label());
    }
}
