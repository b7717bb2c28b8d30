package io.hiroba.inbox.pages;

/** One value that a filter or a setting can have. */
public record Choice(String value, String label) {}
