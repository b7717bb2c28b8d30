package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;

/** A chunk that somebody works at, and how often it was tried again before. */
record ClaimedChunk(SourceId source, ChunkId chunk, int retries, String content) {}
