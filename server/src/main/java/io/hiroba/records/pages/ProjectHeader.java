package io.hiroba.records.pages;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import java.util.Locale;

/** The header of the pages of a project. */
public record ProjectHeader(String id, String name, String path, String role, boolean mayEdit, boolean mayOwn) {

    static ProjectHeader of(ProjectAccess access) {
        var project = access.project();
        return new ProjectHeader(
                project.id().hex(),
                project.name(),
                RecordPaths.project(project.id()),
                label(access.role()),
                access.seenAs() == null && access.role() != ProjectRole.VIEWER,
                access.isOwner());
    }

    static String label(ProjectRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    /** The path of a section, such as {@code members}. */
    public String part(String name) {
        return path + "/-/" + name;
    }
}
