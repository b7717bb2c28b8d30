package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The lookups that the inbox needs in features which it may not use itself. */
public record InboxPorts(
        Operators operators,
        PostLookup posts,
        KnowledgeLookup knowledge,
        RecordLookup records,
        ApprovalDecisions approvals) {

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

    /** Tells in short what requests for approval are about. */
    @FunctionalInterface
    public interface ApprovalSummaries {

        /** Those of the requests that there are, by their ids. */
        Map<Long, ApprovalSummary> find(Reads reads, Collection<Long> approvals);
    }

    /**
     * A request for approval in a list or a mail of its assignees.
     *
     * @param workflowName of its saga; null if an agent asks
     */
    public record ApprovalSummary(
            @Nullable String workflowName, @Nullable Instant deadline) {}

    /** Shows and decides requests for approval, by their ids. */
    public interface ApprovalDecisions extends ApprovalSummaries {

        /** The request as its assignees see it; a problem if the caller is none. */
        ApprovalInfo info(Caller caller, long approval);

        /** Approves or rejects in the caller's name, once; a problem if it is decided already or the answers are wrong. */
        void decide(Tx tx, Caller caller, long approval, boolean approve, String comment, JsonNode answers);

        /** The path in a mail to this assignee, who need not sign in to decide by it. */
        String mailPath(UserId assignee, long approval);
    }

    /**
     * A request for approval as its assignees see it.
     *
     * @param text Markdown
     * @param quorum how many have to approve
     * @param approved how many have
     */
    public record ApprovalInfo(
            String id,
            @Nullable String sagaId,
            @Nullable String workflowName,
            @Nullable String requestedBy,
            String title,
            String text,
            List<ApprovalField> form,
            String state,
            int quorum,
            int approved,
            Instant openedAt,
            @Nullable Instant deadline) {

        public ApprovalInfo {
            form = List.copyOf(form);
        }
    }

    /** A field of the form of a request for approval. */
    public record ApprovalField(String name, String label, String type, boolean required, List<String> options) {

        public ApprovalField {
            options = List.copyOf(options);
        }
    }

    /** Finds records of projects. */
    public interface RecordLookup {

        /** Whether records of this schema have an assignee, or name people. */
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

        /** The people whom its values name and who may read these. */
        Set<UserId> people();

        boolean isVisibleTo(UserId user);
    }
}
