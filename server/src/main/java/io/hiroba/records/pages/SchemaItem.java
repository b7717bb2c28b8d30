package io.hiroba.records.pages;

/**
 * A schema in a list.
 *
 * @param count how many records there are, in words
 * @param attributes their names
 */
public record SchemaItem(String path, String name, String count, String attributes) {}
