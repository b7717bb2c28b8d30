package io.hiroba.records.query;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One reader's access to saved queries of others: one that names what the reader cannot see is shown without its question. */
final class SavedQueryAccess {

    private final ProjectAccess access;
    private final SchemaCatalog catalog;
    private final Map<Short, Optional<RecordAccess>> known = new HashMap<>();

    SavedQueryAccess(ProjectAccess access, SchemaCatalog catalog) {
        this.access = access;
        this.catalog = catalog;
    }

    SavedQueries.Shown shown(SavedQuery saved) {
        boolean isWhole = saved.owner().equals(access.user())
                || saved.definition().paths().stream().allMatch(path -> isReadable(saved.schema(), path));
        return isWhole
                ? new SavedQueries.Shown(saved, false)
                : new SavedQueries.Shown(saved.with(saved.definition().ofSchemaOnly()), true);
    }

    private boolean isReadable(short schema, String path) {
        int point = path.indexOf('.');
        if (point < 0) {
            return attribute(schema, path).isPresent() || isCreation(schema, path);
        }
        return attribute(schema, path.substring(0, point))
                .map(SchemaAttribute::references)
                .flatMap(target -> attribute(target, path.substring(point + 1)))
                .isPresent();
    }

    /** The order of creation, unless an attribute is called so. */
    private boolean isCreation(short schema, String path) {
        return path.equals(RecordSort.CREATED)
                && of(schema)
                        .filter(each -> each.schema().attribute(path).isEmpty())
                        .isPresent();
    }

    private Optional<SchemaAttribute> attribute(short schema, String named) {
        return of(schema).flatMap(each -> each.attribute(named));
    }

    /** With the rules of now: a cached schema may have former ones. */
    private Optional<RecordAccess> of(short id) {
        return known.computeIfAbsent(id, each -> {
            try {
                var schema = catalog.refreshed(access.tables(), String.valueOf(each));
                return Optional.of(new RecordAccess(schema, schema.binding(access.role()), access.user(), null));
            } catch (RecordsProblem _) {
                return Optional.empty();
            }
        });
    }
}
