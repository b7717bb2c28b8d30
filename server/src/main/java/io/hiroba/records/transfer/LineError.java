package io.hiroba.records.transfer;

/**
 * What is wrong with a line of a file.
 *
 * @param field the attribute or column at fault; empty where it is the line as a whole
 */
public record LineError(long line, String field, String message) {}
