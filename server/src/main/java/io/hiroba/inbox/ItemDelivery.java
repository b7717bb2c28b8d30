package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.List;

/** Delivers new and changed items: by mail to those who want it, and to the open pages of their owners. */
final class ItemDelivery implements ItemListener {

    private final ItemMails mails;
    private final LiveInboxes live;

    ItemDelivery(ItemMails mails, LiveInboxes live) {
        this.mails = mails;
        this.live = live;
    }

    @Override
    public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {
        mails.schedule(tx, items);
    }

    @Override
    public void changed(Tx tx, Collection<UserId> users) {
        var readers = List.copyOf(users);
        tx.afterCommit(() -> live.changed(readers));
    }
}
