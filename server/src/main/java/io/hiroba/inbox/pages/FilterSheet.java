package io.hiroba.inbox.pages;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.items.Menus;
import io.hiroba.inbox.items.Sort;
import io.hiroba.inbox.items.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a list can be narrowed down to, and what it is.
 *
 * @param namespaces those that the reader has items in
 * @param authors those who brought about items of the reader
 */
public record FilterSheet(InboxQuery query, Menus menus, List<Choice> namespaces, List<Choice> authors) {

    /** One filter that is on, with the address of the list without it. */
    public record Chip(String label, String without) {}

    /** Those that the reader has something of to do, where the list is of that; all otherwise. */
    public List<Choice> actions() {
        return Stream.of(Action.values())
                .filter(action -> !isTodo() || menus.actions().containsKey(action) || action == query.action())
                .map(action -> new Choice(
                        action.text(),
                        Wording.label(action) + count(menus.actions().get(action))))
                .toList();
    }

    public List<Choice> types() {
        return Stream.of(ResourceType.values())
                .filter(type -> !isTodo() || menus.types().containsKey(type) || type == query.type())
                .map(type -> new Choice(
                        type.text(), Wording.label(type) + count(menus.types().get(type))))
                .toList();
    }

    private boolean isTodo() {
        return query.view() == View.TODO;
    }

    private String count(@Nullable Long number) {
        return isTodo() && number != null ? " (%,d)".formatted(number) : "";
    }

    public List<Choice> sorts() {
        return List.of(
                new Choice(Sort.RECOMMENDED.text(), "Recommended"),
                new Choice(Sort.NEWEST.text(), "Newest first"),
                new Choice(Sort.OLDEST.text(), "Oldest first"));
    }

    /** The value of a filter as a form shows it; empty for all. */
    public String value(String name) {
        return query.fields().stream()
                .filter(field -> field.name().equals(name))
                .map(Parameter::value)
                .findFirst()
                .orElse("");
    }

    public List<Chip> chips() {
        var chips = new ArrayList<Chip>();
        var action = query.action();
        if (action != null) {
            chips.add(new Chip(Wording.label(action), query.withoutAction().address()));
        }
        var type = query.type();
        if (type != null) {
            chips.add(new Chip(Wording.label(type), query.withoutType().address()));
        }
        var namespace = query.namespace();
        if (namespace != null) {
            chips.add(new Chip(
                    label(namespaces, namespace.hex(), "A namespace"),
                    query.withoutNamespace().address()));
        }
        var author = query.author();
        if (author != null) {
            chips.add(new Chip(
                    "From " + label(authors, author, author),
                    query.withoutAuthor().address()));
        }
        return chips;
    }

    private static String label(List<Choice> choices, String value, String otherwise) {
        return choices.stream()
                .filter(choice -> Objects.equals(choice.value(), value))
                .map(Choice::label)
                .findFirst()
                .orElse(otherwise);
    }
}
