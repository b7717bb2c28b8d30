package io.hiroba.knowledge.sources;

import io.hiroba.knowledge.ChunkId;
import tools.jackson.databind.JsonNode;

/**
 * A passage of a source, as it is read.
 *
 * @param position its place among the source's, from 0
 * @param url leads to it, if only within Hiroba
 * @param label what people read of its place, for example {@code Page 3}
 * @param location all that is known of its place
 */
public record SourceChunk(
        ChunkId id, int position, String content, String url, String label, int tokens, JsonNode location) {}
