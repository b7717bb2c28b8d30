package io.hiroba.saga.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.saga.workflow.WorkflowVersion;

/**
 * A version of a workflow in a list.
 *
 * @param made how long ago that was
 */
public record WorkflowItem(String name, int version, boolean isEnabled, String made, String exact) {

    static WorkflowItem of(WorkflowVersion version, ReaderClock when) {
        return new WorkflowItem(
                version.name(),
                version.version(),
                version.enabled(),
                when.ago(version.createdAt()),
                when.exact(version.createdAt()));
    }
}
