package io.hiroba.inbox;

import java.util.List;
import java.util.Optional;

/**
 * A page of a list. A page may hold fewer than were asked for, or none, and have a next one: it ends where its walk
 * does.
 */
public record ItemPage(List<InboxItem> items, Optional<ItemPosition> next) {}
