package io.hiroba.records;

import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The row and field rules of a schema, besides the roles. They apply to viewers and editors, never to an owner.
 *
 * @param ownRowsOnly whether members read only the records that they created
 * @param matching the attribute that must equal a property of the caller; null for no such rule
 * @param hidden attributes that do not exist for them: in results, conditions, writes and history
 * @param readOnly attributes that they may read but not write
 */
public record AccessRules(boolean ownRowsOnly, @Nullable Matching matching, Set<String> hidden, Set<String> readOnly) {

    /** The sign before the id of a removed attribute: no name begins with it. */
    private static final String REMOVED = "_";

    public static final AccessRules NONE = new AccessRules(false, null, Set.of(), Set.of());

    public AccessRules {
        hidden = Set.copyOf(hidden);
        readOnly = Set.copyOf(readOnly);
    }

    /** A text attribute and the property of the caller that it must equal. */
    public record Matching(String attribute, Trait equals) {}

    /** A unique property of a caller that a rule compares with. Nicknames are not unique. */
    public enum Trait {
        ID,
        EMAIL
    }

    /** The same with other names of attributes. */
    AccessRules named(UnaryOperator<String> names) {
        return new AccessRules(
                ownRowsOnly,
                matching == null ? null : new Matching(names.apply(matching.attribute()), matching.equals()),
                hidden.stream().map(names).collect(Collectors.toSet()),
                readOnly.stream().map(names).collect(Collectors.toSet()));
    }

    /** What rules call an attribute while it is removed, so that they bind it again when it is restored. */
    static String ofRemoved(short attribute) {
        return REMOVED + attribute;
    }

    /** Those about attributes that are there. */
    AccessRules withoutRemoved() {
        return without(name -> name.startsWith(REMOVED));
    }

    /** The same, and those of {@code before} about attributes that are removed. */
    AccessRules withRemovedOf(AccessRules before) {
        var removed = before.without(name -> !name.startsWith(REMOVED));
        return new AccessRules(ownRowsOnly, matching, union(hidden, removed.hidden), union(readOnly, removed.readOnly));
    }

    /** The same without some attributes, none of which is compared. */
    AccessRules without(Predicate<String> names) {
        return new AccessRules(
                ownRowsOnly,
                matching,
                hidden.stream().filter(Predicate.not(names)).collect(Collectors.toSet()),
                readOnly.stream().filter(Predicate.not(names)).collect(Collectors.toSet()));
    }

    /** The same, and what is said of {@code name} for {@code other} as well. */
    AccessRules alsoFor(String name, String other) {
        return new AccessRules(
                ownRowsOnly,
                matching,
                hidden.contains(name) ? union(hidden, Set.of(other)) : hidden,
                readOnly.contains(name) ? union(readOnly, Set.of(other)) : readOnly);
    }

    /** The same that hide {@code names} as well. */
    AccessRules hiding(Set<String> names) {
        return new AccessRules(ownRowsOnly, matching, union(hidden, names), readOnly);
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        return Stream.concat(some.stream(), others.stream()).collect(Collectors.toSet());
    }

    /** The rules that apply to {@code role}. */
    public AccessRules binding(ProjectRole role) {
        return role == ProjectRole.OWNER ? NONE : this;
    }

    /** Whether all records are readable. */
    public boolean showsAllRows() {
        return !ownRowsOnly && matching == null;
    }
}
