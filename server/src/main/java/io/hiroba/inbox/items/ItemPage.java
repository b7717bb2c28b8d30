package io.hiroba.inbox.items;

import java.util.List;
import java.util.Optional;

/**
 * Some items of a list. A page may hold fewer than were asked for, or none, and have a next one: it ends where its walk
 * does.
 */
public record ItemPage(List<Item> items, Optional<Position> next) {}
