package io.hiroba.records;

/** A project with the role that a user has in it. */
public record Membership(Project project, ProjectRole role) {}
