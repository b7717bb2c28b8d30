package io.hiroba.inbox.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.ItemState;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.web.LocalPath;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns items into rows for templates. */
record ItemRows(UserId reader, Reader clock, InboxQuery query) {

    /** The states that are not shown. */
    private static final Set<String> USUAL_STATES = Set.of("", "opened", "open", "active", "unknown");

    private static final Pattern WEB_URL = Pattern.compile("(?i)https?://[^\\s\\\\]+");

    List<ItemRow> of(List<InboxItem> items) {
        return items.stream().map(this::of).toList();
    }

    private ItemRow of(InboxItem item) {
        var subject = item.resource();
        var noun = ItemText.noun(subject.type(), subject.workItemType());
        var href = href(subject.url());
        return new ItemRow(
                item.id().hex(),
                ItemText.icon(subject.type()),
                subject.type().text().replace('_', '-'),
                noun,
                subject.title(),
                href,
                href != null && !LocalPath.isLocal(href),
                USUAL_STATES.contains(subject.state()) ? null : subject.state().replace('_', ' '),
                ItemText.of(item.action(), actor(item.author()), noun),
                item.namespace().path(),
                query.in(item.namespace().id()).address(),
                new ItemRow.Time(
                        clock.ago(item.createdAt()),
                        clock.exact(item.createdAt()),
                        item.createdAt().toString()),
                item.state(),
                item.read(),
                item.saved(),
                "/inbox/snooze?id=" + item.id() + "&back=" + URLEncoder.encode(query.address(), StandardCharsets.UTF_8),
                note(item));
    }

    private @Nullable String actor(InboxItem.@Nullable Author author) {
        if (author == null) {
            return null;
        }
        return reader.equals(author.user()) ? ItemText.YOU : author.name();
    }

    /** Other programs supply URLs: only a local path or a web address may become a link. */
    static @Nullable String href(@Nullable String url) {
        return url != null && (LocalPath.isLocal(url) || WEB_URL.matcher(url).matches()) ? url : null;
    }

    private @Nullable String note(InboxItem item) {
        return switch (item.state()) {
            case DONE -> resolved(item.resolvedBy());
            case SNOOZED -> "Snoozed " + until(item);
            case TODO -> item.snoozedUntil() == null ? null : "Back from snooze";
        };
    }

    private static @Nullable String resolved(@Nullable Resolution resolution) {
        return resolution == null ? null : ItemText.resolved(resolution);
    }

    private String until(InboxItem item) {
        var event = item.snoozedEvent();
        var time = item.snoozedUntil();
        if (event != null || time == null) {
            return ItemText.until(event == null ? SnoozeEvent.ANY : event);
        }
        return "until " + clock.upcoming(time);
    }

    /** Whether the list still holds an item after a change. */
    boolean isListed(InboxItem item) {
        return switch (query.view()) {
            case TODO -> item.state() == ItemState.TODO;
            case SNOOZED -> item.state() == ItemState.SNOOZED;
            case DONE -> item.state() == ItemState.DONE;
            case SAVED -> item.saved();
        };
    }
}
