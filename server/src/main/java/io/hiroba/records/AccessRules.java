package io.hiroba.records;

import io.hiroba.accounts.UserId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * The row and field rules of a schema, besides the roles. They apply to viewers and editors, never to an owner.
 *
 * @param ownRowsOnly whether members read only the records that they created
 * @param matching the attribute that must equal a property of the caller; null for no such rule
 * @param hidden attributes that do not exist for them: in results, conditions, writes and history
 * @param readOnly attributes that they may read but not write
 * @param where conditions that all hold for the records that they read
 * @param denied the kinds of writes that they may not do
 * @param editors the rules that apply to editors instead; null for the same
 */
public record AccessRules(
        boolean ownRowsOnly,
        @Nullable Matching matching,
        Set<String> hidden,
        Set<String> readOnly,
        List<RowTest> where,
        Set<WriteKind> denied,
        @Nullable AccessRules editors) {

    /** The sign before the id of a removed attribute: no name begins with it. */
    private static final String REMOVED = "_";

    public static final AccessRules NONE = new AccessRules(false, null, Set.of(), Set.of());

    public AccessRules {
        hidden = Set.copyOf(hidden);
        readOnly = Set.copyOf(readOnly);
        where = List.copyOf(where);
        denied = Set.copyOf(denied);
    }

    /** Rules for viewers and editors alike, without conditions. */
    public AccessRules(boolean ownRowsOnly, @Nullable Matching matching, Set<String> hidden, Set<String> readOnly) {
        this(ownRowsOnly, matching, hidden, readOnly, List.of(), Set.of(), null);
    }

    /** A text attribute and the property of the caller that it must equal. */
    public record Matching(String attribute, Trait equals) {}

    /** A unique property of a caller that a rule compares with. Nicknames are not unique. */
    public enum Trait {
        ID,
        EMAIL
    }

    /** A kind of write that a rule may deny. */
    public enum WriteKind {
        CREATE,
        UPDATE,
        DELETE
    }

    /** The same with other names of attributes. */
    AccessRules named(UnaryOperator<String> names) {
        return new AccessRules(
                ownRowsOnly,
                matching == null ? null : new Matching(names.apply(matching.attribute()), matching.equals()),
                hidden.stream().map(names).collect(Collectors.toSet()),
                readOnly.stream().map(names).collect(Collectors.toSet()),
                where.stream()
                        .map(test -> test.of(names.apply(test.attribute())))
                        .toList(),
                denied,
                ofEditors(rules -> rules.named(names)));
    }

    /** The same after values of an attribute were replaced. */
    AccessRules revalued(String name, Map<String, @Nullable String> replacements) {
        return new AccessRules(
                ownRowsOnly,
                matching,
                hidden,
                readOnly,
                where.stream()
                        .map(test -> test.attribute().equals(name) ? test.revalued(replacements) : test)
                        .toList(),
                denied,
                ofEditors(rules -> rules.revalued(name, replacements)));
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
        var ofEditors = removed.binding(ProjectRole.EDITOR);
        boolean differ = !ofEditors.hidden.equals(removed.hidden) || !ofEditors.readOnly.equals(removed.readOnly);
        return new AccessRules(
                ownRowsOnly,
                matching,
                union(hidden, removed.hidden),
                union(readOnly, removed.readOnly),
                where,
                denied,
                editors == null && !differ
                        ? null
                        : binding(ProjectRole.EDITOR)
                                .changed(
                                        names -> union(names, ofEditors.hidden),
                                        names -> union(names, ofEditors.readOnly)));
    }

    /** The same without some attributes, none of which is compared. */
    AccessRules without(Predicate<String> names) {
        UnaryOperator<Set<String>> kept =
                each -> each.stream().filter(Predicate.not(names)).collect(Collectors.toSet());
        return changed(kept, kept);
    }

    /** The same, and what is said of {@code name} for {@code other} as well. */
    AccessRules alsoFor(String name, String other) {
        UnaryOperator<Set<String>> more = each -> each.contains(name) ? union(each, Set.of(other)) : each;
        return changed(more, more);
    }

    /** The same that hide {@code names} as well. */
    AccessRules hiding(Set<String> names) {
        return changed(each -> union(each, names), UnaryOperator.identity());
    }

    private AccessRules changed(UnaryOperator<Set<String>> hide, UnaryOperator<Set<String>> keep) {
        return new AccessRules(
                ownRowsOnly,
                matching,
                hide.apply(hidden),
                keep.apply(readOnly),
                where,
                denied,
                ofEditors(rules -> rules.changed(hide, keep)));
    }

    private @Nullable AccessRules ofEditors(UnaryOperator<AccessRules> change) {
        return editors == null ? null : change.apply(editors);
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        return Stream.concat(some.stream(), others.stream()).collect(Collectors.toSet());
    }

    /** The rules that apply to {@code role}. */
    public AccessRules binding(ProjectRole role) {
        return switch (role) {
            case OWNER -> NONE;
            case EDITOR -> editors == null ? this : editors;
            case VIEWER -> editors == null ? this : withEditors(null);
        };
    }

    /** The same with {@code rules} for {@code role}, which is not an owner's. */
    public AccessRules with(ProjectRole role, AccessRules rules) {
        var others = binding(role == ProjectRole.EDITOR ? ProjectRole.VIEWER : ProjectRole.EDITOR);
        var viewers = role == ProjectRole.EDITOR ? others : rules;
        var ofEditors = role == ProjectRole.EDITOR ? rules : others;
        return viewers.withEditors(viewers.withEditors(null).equals(ofEditors.withEditors(null)) ? null : ofEditors);
    }

    private AccessRules withEditors(@Nullable AccessRules rules) {
        return new AccessRules(ownRowsOnly, matching, hidden, readOnly, where, denied, rules);
    }

    /** Whether all records are readable. */
    public boolean showsAllRows() {
        return !ownRowsOnly && matching == null && where.isEmpty();
    }

    /** Whether two people with the same role may read other records. */
    public boolean isPersonal() {
        return ownRowsOnly || matching != null || where.stream().anyMatch(RowTest::namesReader);
    }

    /** Whether every member reads all records. */
    boolean showAllRowsToEverybody() {
        return showsAllRows() && (editors == null || editors.showsAllRows());
    }

    /** Whether {@code attribute} is hidden from any member. */
    boolean everHide(String attribute) {
        return hidden.contains(attribute) || (editors != null && editors.hidden.contains(attribute));
    }

    /** Whether records are shown by the value of {@code attribute}. */
    boolean compare(String attribute) {
        return (matching != null && matching.attribute().equals(attribute))
                || where.stream().anyMatch(test -> test.attribute().equals(attribute))
                || (editors != null && editors.compare(attribute));
    }

    /** Whether the record with {@code document} passes all conditions for {@code reader}. */
    boolean pass(Schema schema, UserId reader, ArrayNode document) {
        return where.stream().allMatch(test -> test.matches(schema, reader, document));
    }
}
