package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import java.util.Collection;
import java.util.List;

/** Delivers new and changed items: by mail to those who want it, to the open pages of their owners, and to the event log. */
final class ItemDelivery implements ItemListener {

    private final ItemMails mails;
    private final LiveInboxes live;
    private final EventLog events;

    ItemDelivery(ItemMails mails, LiveInboxes live, EventLog events) {
        this.mails = mails;
        this.live = live;
        this.events = events;
    }

    @Override
    public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {
        mails.schedule(tx, items);
        events.append(
                tx,
                items.stream()
                        .filter(item -> !item.done())
                        .map(item -> PublishedItemEvents.created(request, item))
                        .toList());
    }

    @Override
    public void changed(Tx tx, Collection<UserId> users) {
        var readers = List.copyOf(users);
        tx.afterCommit(() -> live.changed(readers));
    }
}
