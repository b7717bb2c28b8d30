package io.hiroba.inbox.items;

import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.resources.ResourceId;
import org.jspecify.annotations.Nullable;

/**
 * What an item is about, as its owner sees it.
 *
 * @param workItemType what kind of issue it is; only for issues
 */
public record Subject(
        ResourceId id,
        ResourceType type,
        String title,
        @Nullable String url,
        String state,
        @Nullable String workItemType) {}
