package io.hiroba.knowledge;

import tools.jackson.databind.JsonNode;

/**
 * A chunk of a source as readers see it.
 *
 * @param position its place among the source's, from 0
 * @param url leads to it, if only within Hiroba
 * @param label what people read of its place, for example {@code Page 3}
 * @param location all that is known of its place
 */
public record SourceChunk(
        ChunkId id, int position, String content, String url, String label, int tokens, JsonNode location) {}
