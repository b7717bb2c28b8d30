package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxPorts.ApprovalInfo;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.platform.db.Db;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Decides the approvals that items ask their owners for. */
final class ItemApprovals {

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final InboxPorts.ApprovalDecisions approvals;
    private final ItemStore store = new ItemStore();

    ItemApprovals(Db db, InstantSource clock, ItemListener listener, InboxPorts.ApprovalDecisions approvals) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.approvals = approvals;
    }

    /** The request for approval that an item is about. */
    ApprovalInfo info(Caller caller, ItemId id) {
        long approval = db.read(reads -> {
            if (store.find(reads, caller.user(), id).isEmpty()) {
                throw InboxProblem.itemNotFound();
            }
            return store.approval(reads, caller.user(), id).orElseThrow(InboxProblem::notAnApproval);
        });
        return approvals.info(caller, approval);
    }

    /** Approves or rejects, and is done with the item: both or neither. */
    InboxItem decide(Caller caller, ItemId id, boolean approve, String comment, JsonNode answers) {
        var user = caller.user();
        return db.inTransaction(tx -> {
            if (store.lock(tx, user, List.of(id)).isEmpty()) {
                throw InboxProblem.itemNotFound();
            }
            long approval = store.approval(tx, user, id).orElseThrow(InboxProblem::notAnApproval);
            approvals.decide(tx, caller, approval, approve, comment, answers);
            if (store.done(tx, user, List.of(id), Resolution.API_DONE, clock.instant()) > 0) {
                listener.changed(tx, List.of(user));
            }
            return store.find(tx, user, id)
                    .map(item -> new ApprovalLookup(approvals).complete(tx, item))
                    .orElseThrow(InboxProblem::itemNotFound);
        });
    }
}
