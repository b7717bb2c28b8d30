package io.hiroba.inbox.api;

import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resource as an API request describes it. */
record ApiResourceSnapshot(
        ResourceType type,
        String title,
        @Nullable String url,
        String state,
        String namespace,
        @Nullable Long number,
        @Nullable String workItemType,
        boolean draft,
        @Nullable String sha,
        @Nullable String ref,
        @Nullable Target target) {

    private static final List<String> WORK_ITEM_TYPES = List.of(
            "issue", "task", "incident", "epic", "objective", "key_result", "test_case", "requirement", "ticket");
    private static final int MAX_REF_LENGTH = 500;

    /** The resource that a comment is on. */
    record Target(String resourceType, String resource) {}

    /** The details of its type. */
    ResourceDetails details(@Nullable Resource on) {
        return switch (type) {
            case ISSUE -> new ResourceDetails.Issue(number, workItem());
            case MERGE_REQUEST -> new ResourceDetails.MergeRequest(number, draft, null);
            case NOTE -> new ResourceDetails.Note(on == null ? null : on.root());
            case COMMIT -> new ResourceDetails.Commit(hash(), ref == null ? null : branch(ref));
            case POST -> new ResourceDetails.Post(null);
            case SAGA -> new ResourceDetails.Saga(null);
            case KNOWLEDGE_SOURCE -> new ResourceDetails.KnowledgeSource(null);
            case RECORD -> new ResourceDetails.RecordRow(null, null);
            case SSH_KEY, NAMESPACE -> throw InboxProblem.invalid("type", Text.of("inbox.field.type-of-owners"));
        };
    }

    private String workItem() {
        var kind = workItemType == null ? "issue" : workItemType;
        if (!WORK_ITEM_TYPES.contains(kind)) {
            throw InboxProblem.notOneOf("workItemType", WORK_ITEM_TYPES.stream());
        }
        return kind;
    }

    private String hash() {
        if (sha == null || !sha.matches("[0-9a-fA-F]{7,64}")) {
            throw InboxProblem.invalid("sha", Text.of("inbox.field.hash"));
        }
        return sha;
    }

    private static String branch(String ref) {
        if (ref.length() > MAX_REF_LENGTH) {
            throw InboxProblem.invalid("ref", Text.of("inbox.field.max-characters", "max", MAX_REF_LENGTH));
        }
        return ref;
    }
}
