package io.hiroba.inbox.items;

import io.hiroba.inbox.resources.NamespaceId;

/** The namespace that an item lies in. */
public record Place(NamespaceId id, String path) {}
