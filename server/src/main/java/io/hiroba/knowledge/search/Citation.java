package io.hiroba.knowledge.search;

/**
 * A chunk that an answer may cite.
 *
 * @param number its number in the answer: {@code [1]} is the first
 */
public record Citation(int number, SearchHit hit) {}
