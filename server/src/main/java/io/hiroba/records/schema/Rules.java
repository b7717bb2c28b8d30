package io.hiroba.records.schema;

import io.hiroba.records.Role;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who sees and changes which part of a schema's records, besides the roles. Rules bind viewers and editors, never an owner.
 *
 * @param ownRowsOnly whether they see only the records that they made
 * @param matching the attribute that must equal something of the caller's for a record to be seen; none for no such rule
 * @param hidden attributes that are not there for them: not shown, not asked for, not written, not in history
 * @param readOnly attributes that they see and do not write
 */
public record Rules(boolean ownRowsOnly, @Nullable Matching matching, Set<String> hidden, Set<String> readOnly) {

    public static final Rules NONE = new Rules(false, null, Set.of(), Set.of());

    public Rules {
        hidden = Set.copyOf(hidden);
        readOnly = Set.copyOf(readOnly);
    }

    /** A text attribute and what of the caller's it must equal. */
    public record Matching(String attribute, Trait equals) {}

    /** What of a caller a rule may compare with: what nobody else has. Nicknames are for everybody to choose. */
    public enum Trait {
        ID,
        EMAIL
    }

    /** The rules as they bind {@code role}. */
    public Rules binding(Role role) {
        return role == Role.OWNER ? NONE : this;
    }

    /** Whether every record is seen. */
    public boolean showsAllRows() {
        return !ownRowsOnly && matching == null;
    }
}
