package io.hiroba.inbox.resources;

/** A group or project that resources belong to. */
public record Namespace(NamespaceId id, ConnectionId connection, String path, String name) {}
