package io.hiroba.records.pages;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One record, or one to be made, as a form.
 *
 * @param path where it is; empty for one to be made
 * @param about who made and changed it
 * @param cells what those see who may not change it
 * @param problem what is wrong with the form as a whole
 */
public record RecordSheet(
        ProjectHead project,
        String schema,
        String schemaPath,
        String path,
        String title,
        @Nullable String about,
        int version,
        List<Field> fields,
        List<Cell> cells,
        @Nullable String problem) {

    public RecordSheet {
        fields = List.copyOf(fields);
        cells = List.copyOf(cells);
    }

    /** What a form for a new record is known by when it is sent twice. */
    public String key() {
        return UUID.randomUUID().toString();
    }

    public boolean isNew() {
        return path.isEmpty();
    }

    public boolean mayEdit() {
        return project.mayEdit();
    }
}
