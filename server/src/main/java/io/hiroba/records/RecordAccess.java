package io.hiroba.records;

import io.hiroba.accounts.UserId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

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

    /** Whether the rules let the caller write so, within their role. */
    public boolean may(AccessRules.WriteKind kind) {
        return !rules.denied().contains(kind);
    }

    /** Refuses a kind of write that the rules deny. */
    public RecordAccess require(AccessRules.WriteKind kind) {
        if (!may(kind)) {
            throw RecordsProblem.writeDenied(kind);
        }
        return this;
    }

    /** Whether the caller may read a record. */
    public boolean canReadRow(UserId createdBy, ArrayNode document) {
        if (rules.ownRowsOnly() && !createdBy.equals(user)) {
            return false;
        }
        if (rules.matching() != null && !isMatched(document)) {
            return false;
        }
        return rules.pass(schema, user, document);
    }

    /** Whether the attribute that must equal {@link #trait} does. */
    private boolean isMatched(ArrayNode document) {
        return matching()
                .map(attribute -> Documents.value(document, attribute))
                .filter(value -> value.isString() && value.stringValue().equals(trait))
                .isPresent();
    }
}
