package io.hiroba.inbox.pages;

import io.hiroba.inbox.InboxView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of the inbox.
 *
 * @param more the address of the next page, if there may be one
 * @param isFirstPage whether it shows the top of its list
 * @param newest an id below those of all items that are created after the page
 * @param gettingStarted links to the setup pages of a new user
 */
public record InboxListing(
        InboxQuery query,
        List<Tab> tabs,
        FilterForm filters,
        List<ItemRow> rows,
        @Nullable String more,
        boolean isFirstPage,
        String newest,
        List<InboxOption> gettingStarted,
        SnoozeForm snooze) {

    /**
     * A tab for one of the lists.
     *
     * @param name as the address and the counts name it
     */
    public record Tab(String name, String label, String address, long count, boolean isCurrent) {

        /** The value of {@code aria-current} of its link. */
        public @Nullable String current() {
            return isCurrent ? "page" : null;
        }
    }

    public boolean offersDone() {
        return query.view() != InboxView.DONE;
    }

    public boolean offersRestore() {
        return query.view() == InboxView.DONE;
    }

    public boolean offersUnsnooze() {
        return query.view() == InboxView.SNOOZED;
    }

    public boolean offersSave() {
        return query.view() != InboxView.SAVED;
    }

    public boolean offersAllDone() {
        return query.view() != InboxView.DONE;
    }

    public String allDoneQuestion() {
        if (query.isFiltered()) {
            return "Mark all items that match these filters as done?";
        }
        long count = tabs.stream().filter(Tab::isCurrent).mapToLong(Tab::count).sum();
        var items = count == 1 ? "item" : "items";
        return switch (query.view()) {
            case TODO -> "Mark %,d %s as done?".formatted(count, items);
            case SNOOZED -> "Mark %,d snoozed %s as done?".formatted(count, items);
            case SAVED -> "Mark all saved items as done? They stay saved.";
            case DONE -> "";
        };
    }

    public String emptyTitle() {
        if (query.isFiltered()) {
            return "No items match these filters";
        }
        return switch (query.view()) {
            case TODO -> "Nothing to do";
            case SNOOZED -> "No snoozed items";
            case SAVED -> "No saved items";
            case DONE -> "No items done yet";
        };
    }

    public String emptyText() {
        if (query.isFiltered()) {
            return "Remove a filter to see more.";
        }
        return switch (query.view()) {
            case TODO -> "Review requests, mentions, failed pipelines and other items for you appear here.";
            case SNOOZED -> "Snoozed items wait here and come back on their own.";
            case SAVED -> "Star an item to find it here, done or not.";
            case DONE -> "Items that are done stay here for a while, so that you can restore them.";
        };
    }

    public String emptyIcon() {
        return switch (query.view()) {
            case TODO -> query.isFiltered() ? "search" : "check";
            case SNOOZED -> "clock";
            case SAVED -> "star";
            case DONE -> "inbox";
        };
    }
}
