package io.hiroba.inbox;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A page of a list. It may hold fewer items than were requested, or none, and still have a next one: it ends where its
 * index scan does.
 */
public record ItemPage(List<InboxItem> items, Optional<ItemPosition> next) {

    /**
     * A position in a list, after which its next page begins.
     *
     * @param recommendedAt the sort key of the recommended order; unused in the others
     */
    public record ItemPosition(Instant recommendedAt, ItemId id) {}
}
