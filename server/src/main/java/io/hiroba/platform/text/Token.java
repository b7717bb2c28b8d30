package io.hiroba.platform.text;

/**
 * A word of a text, or a character or two where a script has no spaces, in the form in which it is indexed.
 *
 * @param position its place among the words; the next one has the next number
 * @param start where it begins in the text as written
 * @param end where it ends there
 * @param part whether it is one character of a longer run, indexed for questions of a single character only
 */
public record Token(String term, int position, int start, int end, boolean part) {}
