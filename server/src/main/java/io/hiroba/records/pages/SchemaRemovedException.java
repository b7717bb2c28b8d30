package io.hiroba.records.pages;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RemovedSchemas.Removed;

/** The refusal of a page about a schema that was deleted and can be restored, which another page tells of. */
final class SchemaRemovedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ProjectAccess access;
    private final transient Removed removed;

    SchemaRemovedException(ProjectAccess access, Removed removed) {
        super("removed", null, false, false);
        this.access = access;
        this.removed = removed;
    }

    ProjectAccess access() {
        return access;
    }

    Removed removed() {
        return removed;
    }
}
