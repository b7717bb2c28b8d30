package io.hiroba.inbox.items;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import java.util.Map;

/** How many items somebody has to do of each action and type that they have any of, for what they may filter by. */
public record Menus(Map<Action, Long> actions, Map<ResourceType, Long> types) {}
