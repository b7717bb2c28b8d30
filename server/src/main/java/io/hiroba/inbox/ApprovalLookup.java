package io.hiroba.inbox;

import io.hiroba.inbox.InboxPorts.ApprovalSummaries;
import io.hiroba.inbox.InboxPorts.ApprovalSummary;
import io.hiroba.platform.db.Reads;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Completes items with the workflow and the deadline of the approval that they ask for: one lookup a list, if there is any. */
record ApprovalLookup(ApprovalSummaries approvals) {

    List<InboxItem> complete(Reads reads, List<InboxItem> items) {
        var ids = items.stream()
                .flatMap(item -> Stream.ofNullable(item.approval()))
                .map(InboxItem.Approval::id)
                .distinct()
                .toList();
        if (ids.isEmpty()) {
            return items;
        }
        var found = approvals.find(reads, ids);
        return items.stream()
                .map(item -> item.withApproval(completed(item.approval(), found)))
                .toList();
    }

    InboxItem complete(Reads reads, InboxItem item) {
        return complete(reads, List.of(item)).getFirst();
    }

    private static InboxItem.@Nullable Approval completed(
            InboxItem.@Nullable Approval approval, Map<Long, ApprovalSummary> found) {
        if (approval == null) {
            return null;
        }
        var summary = found.get(approval.id());
        return summary == null
                ? null
                : new InboxItem.Approval(approval.id(), summary.workflowName(), summary.deadline());
    }
}
