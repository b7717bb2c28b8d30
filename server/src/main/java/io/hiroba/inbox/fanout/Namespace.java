package io.hiroba.inbox.fanout;

/** A group or project that resources belong to. */
public record Namespace(NamespaceId id, ConnectionId connection, String path, String name) {}
