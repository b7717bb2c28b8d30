package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.List;

/** A listener to items, called in the transaction in which they are created or changed. */
public interface ItemListener {

    void created(Tx tx, NotificationRequest request, List<CreatedNotification> items);

    /** Items of these users were created, changed or deleted. */
    void changed(Tx tx, Collection<UserId> users);
}
