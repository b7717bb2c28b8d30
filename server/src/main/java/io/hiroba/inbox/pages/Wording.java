package io.hiroba.inbox.pages;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Stir;
import org.jspecify.annotations.Nullable;

/**
 * What an item says.
 *
 * @param who who brought it about, where that is known and matters; empty otherwise
 * @param act the rest of the sentence
 */
public record Wording(String who, String act) {

    /** The reader, as the one who brought something about. */
    static final String YOU = "You";

    private static final String NOBODY = "";

    /** @param noun what the item is about: issue, merge request */
    static Wording of(Action action, @Nullable String who, String noun) {
        boolean oneself = YOU.equals(who);
        var you = oneself ? "yourself" : "you";
        var your = oneself ? "your own" : "your";
        return switch (action) {
            case ASSIGNED ->
                by(who, "assigned this %s to %s".formatted(noun, you), "This %s is assigned to you".formatted(noun));
            case MENTIONED -> by(who, "mentioned " + you, "You were mentioned");
            case BUILD_FAILED -> alone("The pipeline failed");
            case MARKED -> alone("You put this on your list");
            case APPROVAL_REQUIRED -> by(who, "asked for " + your + " approval", "Your approval is needed");
            case UNMERGEABLE -> alone("It cannot be merged as it is");
            case DIRECTLY_ADDRESSED -> by(who, "wrote to " + you, "You were addressed");
            case MERGE_TRAIN_REMOVED -> alone("It was taken off the merge train");
            case REVIEW_REQUESTED -> by(who, "asked for " + your + " review", "Your review is asked for");
            case MEMBER_ACCESS_REQUESTED -> by(who, "asks for access", "Somebody asks for access");
            case REVIEW_SUBMITTED -> by(who, "reviewed it", "It was reviewed");
            case OKR_CHECKIN_REQUESTED -> by(who, "asked for a check-in", "A check-in is asked for");
            case ADDED_APPROVER -> by(who, "made " + you + " an approver", "You were made an approver");
            case SSH_KEY_EXPIRED -> alone("This SSH key has expired");
            case SSH_KEY_EXPIRING_SOON -> alone("This SSH key expires soon");
            case SAGA_STUCK -> alone("This saga is stuck and needs somebody");
            case KNOWLEDGE_FAILED -> alone("Not all of this source could be taken in");
            case QUERY_MATCHED -> alone("A saved query has found this");
            case ACCESS_TOKEN_EXPIRING -> alone("An access token expires soon");
        };
    }

    private static Wording by(@Nullable String who, String act, String passive) {
        return who == null || who.isBlank() ? alone(passive) : new Wording(who, act);
    }

    private static Wording alone(String sentence) {
        return new Wording(NOBODY, sentence);
    }

    /** The action as filters, settings and mail name it. */
    public static String label(Action action) {
        return switch (action) {
            case ASSIGNED -> "Assigned to you";
            case MENTIONED -> "Mentions";
            case BUILD_FAILED -> "Failed pipelines";
            case MARKED -> "Put on your list";
            case APPROVAL_REQUIRED -> "Approval needed";
            case UNMERGEABLE -> "Cannot be merged";
            case DIRECTLY_ADDRESSED -> "Written to you";
            case MERGE_TRAIN_REMOVED -> "Off the merge train";
            case REVIEW_REQUESTED -> "Review asked for";
            case MEMBER_ACCESS_REQUESTED -> "Access asked for";
            case REVIEW_SUBMITTED -> "Reviews of yours";
            case OKR_CHECKIN_REQUESTED -> "Check-in asked for";
            case ADDED_APPROVER -> "Made an approver";
            case SSH_KEY_EXPIRED -> "SSH key expired";
            case SSH_KEY_EXPIRING_SOON -> "SSH key expires soon";
            case SAGA_STUCK -> "Stuck sagas";
            case KNOWLEDGE_FAILED -> "Failed sources";
            case QUERY_MATCHED -> "Found by a saved query";
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

    /** One thing of a type, within a sentence. */
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

    /** What an item waits for. */
    static String until(Stir stir) {
        return switch (stir) {
            case COMMENT -> "until somebody comments";
            case PIPELINE -> "until a pipeline ends";
            case MERGE -> "until it is merged";
            case ANY -> "until something happens";
        };
    }

    /** How an item came to be done. */
    static String resolved(Resolution resolution) {
        return switch (resolution) {
            case SYSTEM_DONE -> "Done by itself";
            case API_ALL_DONE -> "Done by a program, with others";
            case API_DONE -> "Done by a program";
            case MARK_ALL_DONE -> "You marked all done";
            case MARK_DONE -> "You marked it done";
        };
    }
}
