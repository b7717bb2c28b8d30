package io.hiroba.inbox.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Text;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sentence of an item, which says why somebody has it.
 *
 * @param key its message, which takes {@code actor} and {@code noun}
 * @param actor the subject of the sentence; empty if it is impersonal
 */
public record ItemText(String key, Text actor) {

    private static final Text NO_ACTOR = Text.verbatim("");

    /** The kinds of work items that GitLab has by itself; others have the names that their users gave them. */
    private static final Set<String> WORK_ITEMS = Set.of(
            "issue", "task", "incident", "epic", "objective", "key_result", "test_case", "requirement", "ticket");

    /** The states of resources of GitLab and of Hiroba; other programs may have others. */
    private static final Set<String> STATES = Set.of(
            "closed",
            "merged",
            "locked",
            "removed",
            "deleted",
            "published",
            "stuck",
            "failed",
            "started",
            "running",
            "completed",
            "compensating",
            "cancelled",
            "approved",
            "rejected",
            "overdue",
            "withdrawn");

    static ItemText of(Action action, InboxItem.@Nullable Author author, UserId reader) {
        var key = "inbox.reason." + kebab(action.text());
        if (author == null || !namesActor(action)) {
            return new ItemText(key, NO_ACTOR);
        }
        if (reader.equals(author.user())) {
            return new ItemText(key + "-by-self", Text.of("inbox.you"));
        }
        return author.name().isBlank()
                ? new ItemText(key, NO_ACTOR)
                : new ItemText(key + "-by", Text.verbatim(author.name()));
    }

    private static boolean namesActor(Action action) {
        return switch (action) {
            case ASSIGNED,
                    MENTIONED,
                    APPROVAL_REQUIRED,
                    DIRECTLY_ADDRESSED,
                    REVIEW_REQUESTED,
                    MEMBER_ACCESS_REQUESTED,
                    REVIEW_SUBMITTED,
                    OKR_CHECKIN_REQUESTED,
                    ADDED_APPROVER,
                    MESSAGED -> true;
            case BUILD_FAILED,
                    MARKED,
                    UNMERGEABLE,
                    MERGE_TRAIN_REMOVED,
                    SSH_KEY_EXPIRED,
                    SSH_KEY_EXPIRING_SOON,
                    SAGA_STUCK,
                    KNOWLEDGE_FAILED,
                    QUERY_MATCHED,
                    ACCESS_TOKEN_EXPIRING,
                    ACCESS_TOKEN_EXPIRED,
                    SCHEDULE_FAILED,
                    BACKUP_LATE,
                    BACKUP_UNVERIFIED,
                    PROJECT_HANDED_OVER -> false;
        };
    }

    /** The action as filters, settings and mail name it. */
    public static Text label(Action action) {
        return Text.of("inbox.action." + kebab(action.text()));
    }

    /** The type as a filter names it. */
    public static Text label(ResourceType type) {
        return Text.of("inbox.type." + kebab(type.text()));
    }

    /** The singular of a type, within a sentence. */
    static Text noun(ResourceType type, @Nullable String workItemType) {
        if (type != ResourceType.ISSUE || workItemType == null || workItemType.isBlank()) {
            return Text.of("inbox.noun." + kebab(type.text()));
        }
        return WORK_ITEMS.contains(workItemType)
                ? Text.of("inbox.noun." + kebab(workItemType))
                : Text.verbatim(workItemType.replace('_', ' '));
    }

    /** The state of a resource. */
    static Text state(String state) {
        return STATES.contains(state) ? Text.of("inbox.state." + state) : Text.verbatim(state.replace('_', ' '));
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

    /** That an item is snoozed until an event. */
    static Text snoozed(SnoozeEvent event) {
        return Text.of("inbox.snoozed." + event.text());
    }

    /** The end of a snooze until an event, as a choice. */
    static Text until(SnoozeEvent event) {
        return Text.of("inbox.until." + event.text());
    }

    static Text resolved(Resolution resolution) {
        return Text.of("inbox.resolved." + kebab(resolution.name().toLowerCase(Locale.ROOT)));
    }

    private static String kebab(String name) {
        return name.replace('_', '-');
    }
}
