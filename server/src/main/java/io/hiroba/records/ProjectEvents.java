package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;

/** Appends events of projects and their members to the event log, in the transaction of the change. */
final class ProjectEvents {

    private final EventLog log;

    ProjectEvents(EventLog log) {
        this.log = log;
    }

    void deleted(Tx tx, ProjectId project) {
        log.append(tx, event(project, "project-deleted"));
    }

    /** Appended also if the user was a member before. */
    void joined(Tx tx, ProjectId project, UserId user) {
        log.append(tx, event(project, "project-joined").with("userId", user.hex()));
    }

    /** Appended for the member who becomes the owner because the account of the last one is deleted. */
    void handedOver(Tx tx, Project project, UserId next) {
        log.append(
                tx,
                event(project.id(), "project-handed-over")
                        .with("userId", next.hex())
                        .with("name", project.name()));
    }

    void left(Tx tx, ProjectId project, UserId user) {
        log.append(tx, event(project, "project-left").with("userId", user.hex()));
    }

    private static NewEvent event(ProjectId project, String type) {
        return NewEvent.of(project.value(), type).with("projectId", project.hex());
    }
}
