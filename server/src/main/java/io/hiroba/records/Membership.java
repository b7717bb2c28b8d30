package io.hiroba.records;

/** A project as one of its members sees it. */
public record Membership(Project project, Role role) {}
