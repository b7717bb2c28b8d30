package io.hiroba.knowledge.ask;

import io.hiroba.knowledge.search.Hit;

/**
 * A passage that an answer may be made of.
 *
 * @param number what the answer calls it by: {@code [1]} is the first
 */
public record Citation(int number, Hit passage) {}
