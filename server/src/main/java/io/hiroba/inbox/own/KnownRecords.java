package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import java.util.Optional;

/** Knows the records of projects. */
public interface KnownRecords {

    /** Whether records of this schema say who is to see to them. */
    boolean areAssigned(Tx tx, long project, String schema);

    /** The record as it is now; none if it is gone. */
    Optional<KnownRecord> find(Tx tx, RecordPlace place);

    /** A record, as far as those are concerned who are told of it. */
    interface KnownRecord {

        /** What it is called, by nothing that is hidden from any member. */
        String title();

        /** What it says of who is to see to it. */
        Optional<String> assignee();

        boolean isSeenBy(UserId user);
    }
}
