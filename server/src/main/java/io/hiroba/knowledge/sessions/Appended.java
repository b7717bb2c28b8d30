package io.hiroba.knowledge.sessions;

/**
 * What adding messages came to.
 *
 * @param version the session's now
 * @param index that of the first message that was added
 */
public record Appended(int version, int index) {}
