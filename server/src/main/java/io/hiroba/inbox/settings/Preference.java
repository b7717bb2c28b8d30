package io.hiroba.inbox.settings;

import org.jspecify.annotations.Nullable;

/**
 * What somebody wants of one kind of items.
 *
 * @param path that of the namespace, for people to read; none where it is about everywhere
 */
public record Preference(Scope scope, @Nullable String path, Delivery delivery) {}
