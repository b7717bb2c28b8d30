package io.hiroba.inbox.pages;

/** One thing that an address or a form says. */
public record Parameter(String name, String value) {}
