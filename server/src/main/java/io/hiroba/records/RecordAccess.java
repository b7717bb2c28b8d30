package io.hiroba.records;

import io.hiroba.accounts.UserId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A caller's row and field access to the records of a schema.
 *
 * @param rules the rules that apply to the caller
 * @param trait the property of the caller that the rules compare with; null if they do not
 */
public record RecordAccess(
        Schema schema,
        AccessRules rules,
        UserId user,
        @Nullable String trait) {

    /** The attributes that the caller may read. */
    public List<SchemaAttribute> shown() {
        return rules.hidden().isEmpty()
                ? schema.attributes()
                : schema.attributes().stream().filter(this::canRead).toList();
    }

    /** An attribute that the caller may read. */
    public Optional<SchemaAttribute> attribute(String name) {
        return schema.attribute(name).filter(this::canRead);
    }

    public boolean canRead(SchemaAttribute attribute) {
        return !rules.hidden().contains(attribute.name());
    }

    public boolean canWrite(SchemaAttribute attribute) {
        return canRead(attribute)
                && !attribute.isGenerated()
                && !schema.isComputed(attribute)
                && !rules.readOnly().contains(attribute.name());
    }

    /** The attribute that must equal {@link #trait}. */
    public Optional<SchemaAttribute> matching() {
        var matching = rules.matching();
        return matching == null ? Optional.empty() : schema.attribute(matching.attribute());
    }

    /**
     * Whether the caller may read a record.
     *
     * @param matched the value of {@link #matching}
     */
    public boolean canReadRow(UserId createdBy, @Nullable String matched) {
        if (rules.ownRowsOnly() && !createdBy.equals(user)) {
            return false;
        }
        return rules.matching() == null || (matched != null && matched.equals(trait));
    }
}
