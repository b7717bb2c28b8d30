package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A caller's membership of a project at the time of the lookup.
 *
 * @param caller the caller; an admin has the rights of an owner in every project
 * @param role the role whose rules apply
 * @param seenAs the one as whom an owner sees records; null for oneself
 */
public record ProjectAccess(
        Caller caller,
        Project project,
        ProjectRole role,
        @Nullable SeenAs seenAs) {

    public ProjectAccess(Caller caller, Project project, ProjectRole role) {
        this(caller, project, role, null);
    }

    /**
     * The one as whom an owner sees records, and writes none.
     *
     * @param given as in requests: {@code role:viewer}, or the id of a member
     * @param member null for a role, which the owner is seen in themself
     */
    public record SeenAs(String given, @Nullable UserId member) {}

    /** The person whose rows are read: the caller, unless an owner sees records as a member. */
    public UserId user() {
        return seenAs == null || seenAs.member() == null ? caller.user() : seenAs.member();
    }

    public ProjectTables tables() {
        return project.tables();
    }

    public boolean isOwner() {
        return role == ProjectRole.OWNER && seenAs == null;
    }

    public ProjectAccess requireEditor() {
        requireSelf();
        if (role == ProjectRole.VIEWER) {
            throw RecordsProblem.editorsOnly();
        }
        return this;
    }

    public ProjectAccess requireOwner() {
        requireSelf();
        if (role != ProjectRole.OWNER) {
            throw RecordsProblem.ownersOnly();
        }
        return this;
    }

    private void requireSelf() {
        if (seenAs != null) {
            throw RecordsProblem.seenAsOnly();
        }
    }
}
