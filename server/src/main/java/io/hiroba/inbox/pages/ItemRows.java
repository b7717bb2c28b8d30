package io.hiroba.inbox.pages;

import static java.util.stream.Collectors.joining;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemState;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.LocalPath;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns items into rows for templates.
 *
 * @param events the events which the items may be snoozed until
 */
record ItemRows(UserId user, Reader reader, InboxQuery query, Map<ItemId, Set<SnoozeEvent>> events) {

    /** The states that are not shown. */
    private static final Set<String> USUAL_STATES = Set.of("", "opened", "open", "active", "unknown");

    /** A deadline that is nearer than that stands out. */
    private static final Duration SOON = Duration.ofDays(1);

    private static final Pattern WEB_URL = Pattern.compile("(?i)https?://[^\\s\\\\]+");

    List<ItemRow> of(List<InboxItem> items) {
        return items.stream().map(this::of).toList();
    }

    private ItemRow of(InboxItem item) {
        var subject = item.resource();
        var href = href(subject.url());
        return new ItemRow(
                item.id().hex(),
                ItemText.icon(subject.type()),
                subject.type().text().replace('_', '-'),
                ItemText.noun(subject.type(), subject.workItemType()),
                subject.title(),
                href,
                href != null && !LocalPath.isLocal(href),
                USUAL_STATES.contains(subject.state()) ? null : ItemText.state(subject.state()),
                ItemText.of(item.action(), item.author(), user),
                item.namespace().path(),
                query.in(item.namespace().id()).address(),
                new ItemRow.Time(
                        reader.ago(item.createdAt()),
                        reader.exact(item.createdAt()),
                        item.createdAt().toString()),
                item.state(),
                item.read(),
                item.saved(),
                events.getOrDefault(item.id(), Set.of()).stream()
                        .map(SnoozeEvent::text)
                        .collect(joining(" ")),
                "/inbox/snooze?id=" + item.id() + "&back=" + URLEncoder.encode(query.address(), StandardCharsets.UTF_8),
                note(item),
                item.state() == ItemState.DONE ? null : approval(item));
    }

    private ItemRow.@Nullable Approval approval(InboxItem item) {
        var approval = item.approval();
        if (approval == null) {
            return null;
        }
        var deadline = approval.deadline();
        return new ItemRow.Approval(approval.workflowName(), deadline == null ? null : deadline(deadline));
    }

    private ItemRow.Deadline deadline(Instant deadline) {
        boolean overdue = !reader.now().isBefore(deadline);
        boolean soon = !overdue && reader.now().plus(SOON).isAfter(deadline);
        return new ItemRow.Deadline(
                overdue ? "overdue" : soon ? "soon" : "later",
                overdue
                        ? Text.of("inbox.approval.overdue", "time", reader.dateTime(deadline))
                        : Text.of("inbox.approval.decide-by", "time", reader.upcoming(deadline)),
                reader.exact(deadline),
                deadline.toString());
    }

    /** Other programs supply URLs: only a local path or a web address may become a link. */
    static @Nullable String href(@Nullable String url) {
        return url != null && (LocalPath.isLocal(url) || WEB_URL.matcher(url).matches()) ? url : null;
    }

    private @Nullable String note(InboxItem item) {
        return switch (item.state()) {
            case DONE -> resolved(item.resolvedBy());
            case SNOOZED -> reader.text(snoozed(item));
            case TODO -> item.snoozedUntil() == null ? null : reader.text("inbox.back-from-snooze");
        };
    }

    private @Nullable String resolved(@Nullable Resolution resolution) {
        return resolution == null ? null : reader.text(ItemText.resolved(resolution));
    }

    private Text snoozed(InboxItem item) {
        var event = item.snoozedEvent();
        var time = item.snoozedUntil();
        if (event != null || time == null) {
            return ItemText.snoozed(event == null ? SnoozeEvent.ANY : event);
        }
        return Text.of("inbox.snoozed-until", "time", reader.upcoming(time));
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
