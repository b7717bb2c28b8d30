package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The lookups that the inbox needs in features which it may not use itself. */
public record InboxPorts(Operators operators, PostLookup posts, KnowledgeLookup knowledge, RecordLookup records) {

    /** The operators and admins: they manage resources of other programs and are notified of failures in Hiroba. */
    public interface Operators {

        boolean include(Caller caller);

        List<UserId> list(Reads reads);

        default void require(Caller caller) {
            if (!include(caller)) {
                throw InboxProblem.operatorsOnly();
            }
        }
    }

    /** Finds the titles of posts. */
    public interface PostLookup {

        /** None if the post is deleted. */
        Optional<String> title(Reads reads, long post, UserId author);

        /** None if the caller may not read the post, or there is none. */
        Optional<String> readableTitle(Caller caller, long post);
    }

    /** Finds knowledge sources. */
    @FunctionalInterface
    public interface KnowledgeLookup {

        /** None if the source is deleted. */
        Optional<KnowledgeSource> find(Reads reads, long source);
    }

    /**
     * A knowledge source as its notifications need it.
     *
     * @param failed whether a part of it could not be ingested and can be retried
     */
    public record KnowledgeSource(UserId owner, boolean isPublic, String title, boolean failed) {}

    /** Finds records of projects. */
    public interface RecordLookup {

        /** Whether records of this schema have an assignee. */
        boolean haveAssignee(Tx tx, long project, String schema);

        /** None if the record is deleted. */
        Optional<RecordInfo> find(Tx tx, long project, String schema, UUID row);
    }

    /** A record as its notifications need it. */
    public interface RecordInfo {

        /** A title without the values of fields that are hidden from any member. */
        String title();

        /** The text of its assignee field. */
        Optional<String> assignee();

        boolean isVisibleTo(UserId user);
    }
}
