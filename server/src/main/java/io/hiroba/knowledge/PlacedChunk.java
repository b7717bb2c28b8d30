package io.hiroba.knowledge;

/** A chunk with its id and its place among those of its source. */
record PlacedChunk(ChunkId id, int position, NewChunk chunk) {

    /** The same chunk, found by the words of another title. */
    PlacedChunk retitled(String title) {
        return new PlacedChunk(id, position, NewChunk.of(title, chunk.content(), chunk.location(), chunk.tokens()));
    }
}
