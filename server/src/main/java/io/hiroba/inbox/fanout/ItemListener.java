package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.List;

/** Learns of items, in the transaction in which they come or change. */
public interface ItemListener {

    void made(Tx tx, News news, List<Made> items);

    /** Items of these users have come, changed or gone. */
    void changed(Tx tx, Collection<UserId> users);
}
