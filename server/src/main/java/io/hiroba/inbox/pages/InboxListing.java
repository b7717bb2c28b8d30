package io.hiroba.inbox.pages;

import io.hiroba.inbox.InboxView;
import io.hiroba.platform.i18n.Text;
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
    public record Tab(String name, Text label, String address, long count, boolean isCurrent) {

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

    public Text allDoneQuestion() {
        if (query.isFiltered()) {
            return Text.of("inbox.all-done-filtered");
        }
        long count = tabs.stream().filter(Tab::isCurrent).mapToLong(Tab::count).sum();
        return switch (query.view()) {
            case TODO -> Text.of("inbox.all-done-todo", "count", count);
            case SNOOZED -> Text.of("inbox.all-done-snoozed", "count", count);
            case SAVED -> Text.of("inbox.all-done-saved");
            case DONE -> Text.verbatim("");
        };
    }

    public Text emptyTitle() {
        return query.isFiltered()
                ? Text.of("inbox.empty-filtered")
                : Text.of("inbox.empty." + query.view().text());
    }

    public Text emptyText() {
        return query.isFiltered()
                ? Text.of("inbox.empty-filtered-hint")
                : Text.of("inbox.empty-hint." + query.view().text());
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
