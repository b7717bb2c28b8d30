package io.hiroba.knowledge;

/** A chunk with its id and its place among those of its source. */
record PlacedChunk(ChunkId id, int position, NewChunk chunk) {}
