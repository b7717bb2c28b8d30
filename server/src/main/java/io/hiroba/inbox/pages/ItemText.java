package io.hiroba.inbox.pages;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.SnoozeEvent;
import org.jspecify.annotations.Nullable;

/**
 * The sentence of an item.
 *
 * @param actor the subject of the sentence; empty if it is impersonal
 * @param predicate the rest of the sentence
 */
public record ItemText(String actor, String predicate) {

    static final String YOU = "You";

    private static final String NO_ACTOR = "";

    /** @param noun what the item is about: issue, merge request */
    static ItemText of(Action action, @Nullable String actor, String noun) {
        boolean isSelf = YOU.equals(actor);
        var you = isSelf ? "yourself" : "you";
        var your = isSelf ? "your own" : "your";
        return switch (action) {
            case ASSIGNED ->
                by(actor, "assigned this %s to %s".formatted(noun, you), "This %s is assigned to you".formatted(noun));
            case MENTIONED -> by(actor, "mentioned " + you, "You were mentioned");
            case BUILD_FAILED -> impersonal("The pipeline failed");
            case MARKED -> impersonal("You marked this as a to-do");
            case APPROVAL_REQUIRED -> by(actor, "requested " + your + " approval", "Your approval is needed");
            case UNMERGEABLE -> impersonal("The merge request has conflicts");
            case DIRECTLY_ADDRESSED -> by(actor, "addressed " + you, "You were addressed");
            case MERGE_TRAIN_REMOVED -> impersonal("Removed from the merge train");
            case REVIEW_REQUESTED -> by(actor, "requested " + your + " review", "Your review was requested");
            case MEMBER_ACCESS_REQUESTED -> by(actor, "requested access", "Access was requested");
            case REVIEW_SUBMITTED -> by(actor, "reviewed it", "It was reviewed");
            case OKR_CHECKIN_REQUESTED -> by(actor, "requested a check-in", "A check-in was requested");
            case ADDED_APPROVER -> by(actor, "added " + you + " as an approver", "You were added as an approver");
            case SSH_KEY_EXPIRED -> impersonal("This SSH key has expired");
            case SSH_KEY_EXPIRING_SOON -> impersonal("This SSH key expires soon");
            case SAGA_STUCK -> impersonal("This saga needs attention");
            case KNOWLEDGE_FAILED -> impersonal("This source could not be ingested completely");
            case QUERY_MATCHED -> impersonal("Matched by a saved query");
            case ACCESS_TOKEN_EXPIRING -> impersonal("An access token expires soon");
        };
    }

    private static ItemText by(@Nullable String actor, String predicate, String passive) {
        return actor == null || actor.isBlank() ? impersonal(passive) : new ItemText(actor, predicate);
    }

    private static ItemText impersonal(String sentence) {
        return new ItemText(NO_ACTOR, sentence);
    }

    /** The action as filters, settings and mail name it. */
    public static String label(Action action) {
        return switch (action) {
            case ASSIGNED -> "Assigned to you";
            case MENTIONED -> "Mentions";
            case BUILD_FAILED -> "Failed pipelines";
            case MARKED -> "Marked by you";
            case APPROVAL_REQUIRED -> "Approval needed";
            case UNMERGEABLE -> "Cannot be merged";
            case DIRECTLY_ADDRESSED -> "Directly addressed";
            case MERGE_TRAIN_REMOVED -> "Removed from merge train";
            case REVIEW_REQUESTED -> "Review requested";
            case MEMBER_ACCESS_REQUESTED -> "Access requested";
            case REVIEW_SUBMITTED -> "Review submitted";
            case OKR_CHECKIN_REQUESTED -> "Check-in requested";
            case ADDED_APPROVER -> "Added as approver";
            case SSH_KEY_EXPIRED -> "SSH key expired";
            case SSH_KEY_EXPIRING_SOON -> "SSH key expires soon";
            case SAGA_STUCK -> "Sagas needing attention";
            case KNOWLEDGE_FAILED -> "Failed sources";
            case QUERY_MATCHED -> "Saved query matches";
            case ACCESS_TOKEN_EXPIRING -> "Access token expires";
        };
    }

    /** The type as a filter names it. */
    public static String label(ResourceType type) {
        return switch (type) {
            case ISSUE -> "Issues";
            case MERGE_REQUEST -> "Merge requests";
            case NOTE -> "Comments";
            case COMMIT -> "Commits";
            case SSH_KEY -> "SSH keys";
            case POST -> "Posts";
            case SAGA -> "Sagas";
            case KNOWLEDGE_SOURCE -> "Sources";
            case RECORD -> "Records";
            case NAMESPACE -> "Groups and projects";
        };
    }

    /** The singular of a type, within a sentence. */
    static String noun(ResourceType type, @Nullable String workItemType) {
        return switch (type) {
            case ISSUE -> workItemType == null || workItemType.isBlank() ? "issue" : workItemType.replace('_', ' ');
            case MERGE_REQUEST -> "merge request";
            case NOTE -> "comment";
            case COMMIT -> "commit";
            case SSH_KEY -> "SSH key";
            case POST -> "post";
            case SAGA -> "saga";
            case KNOWLEDGE_SOURCE -> "source";
            case RECORD -> "record";
            case NAMESPACE -> "project";
        };
    }

    static String icon(ResourceType type) {
        return switch (type) {
            case ISSUE -> "issue";
            case MERGE_REQUEST -> "merge";
            case NOTE -> "chat";
            case COMMIT -> "commit";
            case SSH_KEY -> "key";
            case POST -> "edit";
            case SAGA -> "flow";
            case KNOWLEDGE_SOURCE -> "book";
            case RECORD -> "table";
            case NAMESPACE -> "people";
        };
    }

    /** The end of a snooze until an event. */
    static String until(SnoozeEvent event) {
        return switch (event) {
            case COMMENT -> "until somebody comments";
            case PIPELINE -> "until a pipeline ends";
            case MERGE -> "until it is merged";
            case ANY -> "until something happens";
        };
    }

    static String resolved(Resolution resolution) {
        return switch (resolution) {
            case SYSTEM_DONE -> "Resolved automatically";
            case API_ALL_DONE -> "Marked as done by the API, with others";
            case API_DONE -> "Marked as done by the API";
            case MARK_ALL_DONE -> "You marked all as done";
            case MARK_DONE -> "You marked it as done";
        };
    }
}
