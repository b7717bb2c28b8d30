package io.hiroba.records.pages;

import io.hiroba.records.Access;
import io.hiroba.records.Role;
import java.util.Locale;

/** What all pages of a project show of it. */
public record ProjectHead(String id, String name, String path, String role, boolean mayEdit, boolean mayOwn) {

    static ProjectHead of(Access access) {
        var project = access.project();
        return new ProjectHead(
                project.id().hex(),
                project.name(),
                Paths.project(project.id()),
                label(access.role()),
                access.role() != Role.VIEWER,
                access.isOwner());
    }

    static String label(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    /** The address of a part of it, such as {@code members}. */
    public String part(String name) {
        return path + "/-/" + name;
    }
}
