package io.hiroba.inbox.settings;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.resources.NamespaceId;
import org.jspecify.annotations.Nullable;

/**
 * What a preference is about.
 *
 * @param namespace with all below it; null for everywhere
 * @param action null for every one
 */
public record Scope(
        @Nullable NamespaceId namespace, @Nullable Action action) {}
