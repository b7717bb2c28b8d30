package io.hiroba.inbox.gitlab.deliveries;

import io.hiroba.platform.db.Tx;

/** Does what a delivery asks for, all of it in the transaction it is handed. */
@FunctionalInterface
public interface DeliveryHandler {

    Outcome handle(Tx tx, Call call);
}
