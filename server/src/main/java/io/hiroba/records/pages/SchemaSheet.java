package io.hiroba.records.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schema in its editor.
 *
 * @param path where its records are; empty for a new one
 * @param targets the schemas that an attribute may refer to
 * @param verdict what a trial of the change said; none where none was made
 * @param isAllowed whether the change would be made
 * @param changes what it would do, or why it is not made
 */
public record SchemaSheet(
        ProjectHead project,
        String name,
        String path,
        List<AttributeRow> rows,
        List<String> targets,
        @Nullable String verdict,
        boolean isAllowed,
        List<String> changes) {

    public SchemaSheet {
        rows = List.copyOf(rows);
        targets = List.copyOf(targets);
        changes = List.copyOf(changes);
    }

    public boolean isNew() {
        return path.isEmpty();
    }

    /** Where the form is sent. */
    public String action() {
        return isNew() ? project.part("new-schema") : path + "/schema";
    }
}
