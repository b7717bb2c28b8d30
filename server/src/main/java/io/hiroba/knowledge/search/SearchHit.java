package io.hiroba.knowledge.search;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.platform.text.Passage.Piece;
import java.util.List;

/**
 * A chunk that was found.
 *
 * @param score from 0 to 1, comparable within a result: the similarity in a vector search, the reranking model's after one
 * @param url the URL of the chunk, in Hiroba itself where the source has none
 */
public record SearchHit(
        ChunkId chunk,
        SourceId source,
        String sourceTitle,
        SourceType sourceType,
        double score,
        List<Piece> snippet,
        String content,
        String url,
        String label) {}
