package io.hiroba.records.schema;

import io.hiroba.accounts.UserId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What somebody sees of a schema's records, and what of them they may write.
 *
 * @param rules as they bind them
 * @param trait what of theirs the rules compare with; none where the rules compare with nothing
 */
public record Sight(
        Schema schema, Rules rules, UserId user, @Nullable String trait) {

    /** The attributes that are there for them. */
    public List<Attribute> shown() {
        return rules.hidden().isEmpty()
                ? schema.attributes()
                : schema.attributes().stream().filter(this::shows).toList();
    }

    /** An attribute that is there for them. */
    public Optional<Attribute> attribute(String name) {
        return schema.attribute(name).filter(this::shows);
    }

    public boolean shows(Attribute attribute) {
        return !rules.hidden().contains(attribute.name());
    }

    public boolean mayWrite(Attribute attribute) {
        return shows(attribute) && !rules.readOnly().contains(attribute.name());
    }

    /** The attribute that must equal {@link #trait} for a record to be seen. */
    public Optional<Attribute> matching() {
        var matching = rules.matching();
        return matching == null ? Optional.empty() : schema.attribute(matching.attribute());
    }

    /**
     * Whether a record is seen.
     *
     * @param matched its value of {@link #matching}
     */
    public boolean sees(UserId createdBy, @Nullable String matched) {
        if (rules.ownRowsOnly() && !createdBy.equals(user)) {
            return false;
        }
        return rules.matching() == null || (matched != null && matched.equals(trait));
    }
}
