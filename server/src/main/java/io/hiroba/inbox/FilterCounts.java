package io.hiroba.inbox;

import java.util.Map;

/** The numbers of a user's items to do by action and by type, for the options of filters. */
public record FilterCounts(Map<Action, Long> actions, Map<ResourceType, Long> types) {}
