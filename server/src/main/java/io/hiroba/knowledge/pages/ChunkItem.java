package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.sources.SourceChunk;

/**
 * A passage of a source.
 *
 * @param number its place, from 1
 * @param path where it is marked on its source's page
 * @param isMarked whether it is the one that was asked for
 */
public record ChunkItem(String id, int number, String label, String content, String path, boolean isMarked) {

    static ChunkItem of(SourceId source, SourceChunk chunk, boolean isMarked) {
        return new ChunkItem(
                chunk.id().hex(),
                chunk.position() + 1,
                chunk.label(),
                chunk.content(),
                Paths.passage(source, chunk.id()),
                isMarked);
    }
}
