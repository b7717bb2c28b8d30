package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;

/**
 * Somebody's way into a project, as it was when they were asked for it.
 *
 * @param caller who it is; an admin has an owner's rights in every project
 */
public record Access(Caller caller, Project project, Role role) {

    public UserId user() {
        return caller.user();
    }

    public Tables tables() {
        return project.tables();
    }

    public boolean isOwner() {
        return role == Role.OWNER;
    }

    public Access requireEditor() {
        if (role == Role.VIEWER) {
            throw RecordsProblem.editorsOnly();
        }
        return this;
    }

    public Access requireOwner() {
        if (role != Role.OWNER) {
            throw RecordsProblem.ownersOnly();
        }
        return this;
    }
}
