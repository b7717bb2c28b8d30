package io.hiroba.inbox.pages;

/** An option of a filter or a setting. */
public record InboxOption(String value, String label) {}
