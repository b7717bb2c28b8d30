package io.hiroba.inbox.pages;

import io.hiroba.inbox.items.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the inbox.
 *
 * @param more the address of the next page, if there may be one
 * @param isBeginning whether it shows the top of its list, rather than a later page
 * @param newest an id that whatever comes after the page is above
 * @param beginnings addresses and what is done there, for somebody to whom hardly anything can come yet
 */
public record InboxSheet(
        InboxQuery query,
        List<Tab> tabs,
        FilterSheet filters,
        List<ItemRow> rows,
        @Nullable String more,
        boolean isBeginning,
        String newest,
        List<Choice> beginnings,
        SnoozeSheet snooze) {

    /** What the reader can do with what is listed: those of the view's acts that are offered for many at once. */
    public boolean offersDone() {
        return query.view() != View.DONE;
    }

    public boolean offersRestore() {
        return query.view() == View.DONE;
    }

    public boolean offersUnsnooze() {
        return query.view() == View.SNOOZED;
    }

    public boolean offersSave() {
        return query.view() != View.SAVED;
    }

    /** Whether all that is listed can be done at once, if there is anything. */
    public boolean offersAllDone() {
        return query.view() != View.DONE;
    }

    public String allDoneQuestion() {
        var all = query.isFiltered() ? "All that match these filters" : "All";
        return switch (query.view()) {
            case TODO -> all + " are marked done.";
            case SNOOZED -> all + " that are snoozed are marked done.";
            case SAVED -> all + " that are saved are marked done. They stay saved.";
            case DONE -> "";
        };
    }

    public String emptyTitle() {
        if (query.isFiltered()) {
            return "Nothing matches these filters";
        }
        return switch (query.view()) {
            case TODO -> "Nothing to do";
            case SNOOZED -> "Nothing is snoozed";
            case SAVED -> "Nothing is saved";
            case DONE -> "Nothing is done yet";
        };
    }

    public String emptyText() {
        if (query.isFiltered()) {
            return "Take one away to see more.";
        }
        return switch (query.view()) {
            case TODO -> "Reviews, mentions, failed pipelines and all else that wants something from you comes here.";
            case SNOOZED -> "What you put off until later waits here, and comes back by itself.";
            case SAVED -> "Give an item a star to find it here, done or not.";
            case DONE -> "What you have dealt with stays here for a while, so that you can bring it back.";
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
