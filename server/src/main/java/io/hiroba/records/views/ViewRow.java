package io.hiroba.records.views;

import io.hiroba.accounts.UserId;
import io.hiroba.records.ProjectId;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A view of the records of a schema.
 *
 * @param shared whether all members see it
 * @param definition with attributes by their ids
 */
public record ViewRow(
        ViewId id,
        ProjectId project,
        short schema,
        UserId owner,
        boolean shared,
        String name,
        Kind kind,
        ViewDefinition definition,
        int version,
        Instant updatedAt) {

    /** The way in which records are shown. */
    public enum Kind {
        GRID,
        BOARD,
        CALENDAR,
        GALLERY,
        FORM;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Optional<Kind> named(String label) {
            return Arrays.stream(values())
                    .filter(each -> each.label().equals(label))
                    .findFirst();
        }
    }

    ViewRow with(ViewDefinition other, Instant at) {
        return new ViewRow(id, project, schema, owner, shared, name, kind, other, version + 1, at);
    }

    ViewRow changed(ViewDraft draft, UserId by, Instant at) {
        return new ViewRow(
                id,
                project,
                schema,
                // A view of all that becomes private is that of whoever made it so.
                draft.shared() == shared ? owner : by,
                draft.shared(),
                draft.name(),
                draft.kind(),
                draft.definition(),
                version + 1,
                at);
    }
}
