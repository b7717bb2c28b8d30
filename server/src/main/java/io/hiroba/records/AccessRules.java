package io.hiroba.records;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The row and field rules of a schema, besides the roles. They bind viewers and editors, never an owner.
 *
 * @param ownRowsOnly whether they see only the records that they made
 * @param matching the attribute that must equal something of the caller's for a record to be seen; none for no such rule
 * @param hidden attributes that are not there for them: not shown, not asked for, not written, not in history
 * @param readOnly attributes that they see and do not write
 */
public record AccessRules(boolean ownRowsOnly, @Nullable Matching matching, Set<String> hidden, Set<String> readOnly) {

    public static final AccessRules NONE = new AccessRules(false, null, Set.of(), Set.of());

    public AccessRules {
        hidden = Set.copyOf(hidden);
        readOnly = Set.copyOf(readOnly);
    }

    /** A text attribute and what of the caller's it must equal. */
    public record Matching(String attribute, Trait equals) {}

    /** A unique property of a caller that a rule compares with. Nicknames are not unique. */
    public enum Trait {
        ID,
        EMAIL
    }

    /** The rules as they bind {@code role}. */
    public AccessRules binding(ProjectRole role) {
        return role == ProjectRole.OWNER ? NONE : this;
    }

    /** Whether every record is seen. */
    public boolean showsAllRows() {
        return !ownRowsOnly && matching == null;
    }
}
