package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;

/**
 * A caller's membership of a project at the time of the lookup.
 *
 * @param caller the caller; an admin has the rights of an owner in every project
 */
public record ProjectAccess(Caller caller, Project project, ProjectRole role) {

    public UserId user() {
        return caller.user();
    }

    public ProjectTables tables() {
        return project.tables();
    }

    public boolean isOwner() {
        return role == ProjectRole.OWNER;
    }

    public ProjectAccess requireEditor() {
        if (role == ProjectRole.VIEWER) {
            throw RecordsProblem.editorsOnly();
        }
        return this;
    }

    public ProjectAccess requireOwner() {
        if (role != ProjectRole.OWNER) {
            throw RecordsProblem.ownersOnly();
        }
        return this;
    }
}
