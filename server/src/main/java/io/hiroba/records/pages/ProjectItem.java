package io.hiroba.records.pages;

/** A project in a list. */
public record ProjectItem(String path, String name, String role, String schemas) {}
