package io.hiroba.knowledge.search;

/**
 * A chunk that an answer may cite.
 *
 * @param number what the answer calls it by: {@code [1]} is the first
 */
public record Citation(int number, SearchHit hit) {}
