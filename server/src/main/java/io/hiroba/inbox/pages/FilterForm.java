package io.hiroba.inbox.pages;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.Inbox;
import io.hiroba.inbox.InboxView;
import io.hiroba.inbox.ItemSort;
import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The filter form of a list, with its options and values.
 *
 * @param namespaces the namespaces of the reader's items
 * @param authors the authors of the reader's items
 */
public record FilterForm(
        InboxQuery query,
        Inbox.FilterCounts counts,
        List<InboxOption> namespaces,
        List<InboxOption> authors,
        Reader reader) {

    /** An active filter, with the address of the list without it. */
    public record Chip(String label, String without) {}

    /** The actions of the reader's items to do, or all actions in other views. */
    public List<InboxOption> actions() {
        return Stream.of(Action.values())
                .filter(action -> !isTodo() || counts.actions().containsKey(action) || action == query.action())
                .map(action -> new InboxOption(
                        action.text(),
                        label(ItemText.label(action), counts.actions().get(action))))
                .toList();
    }

    public List<InboxOption> types() {
        return Stream.of(ResourceType.values())
                .filter(type -> !isTodo() || counts.types().containsKey(type) || type == query.type())
                .map(type -> new InboxOption(
                        type.text(), label(ItemText.label(type), counts.types().get(type))))
                .toList();
    }

    private boolean isTodo() {
        return query.view() == InboxView.TODO;
    }

    private String label(Text name, @Nullable Long count) {
        return isTodo() && count != null
                ? reader.text("inbox.option-count", "option", name, "count", count)
                : reader.text(name);
    }

    public List<InboxOption> sorts() {
        return Stream.of(ItemSort.RECOMMENDED, ItemSort.NEWEST, ItemSort.OLDEST)
                .map(sort -> new InboxOption(sort.text(), reader.text("inbox.sort." + sort.text())))
                .toList();
    }

    /** The value of a filter as a form shows it; empty for all. */
    public String value(String name) {
        return query.fields().stream()
                .filter(field -> field.name().equals(name))
                .map(InboxQuery.Field::value)
                .findFirst()
                .orElse("");
    }

    public List<Chip> chips() {
        var chips = new ArrayList<Chip>();
        var action = query.action();
        if (action != null) {
            chips.add(new Chip(
                    reader.text(ItemText.label(action)), query.withoutAction().address()));
        }
        var type = query.type();
        if (type != null) {
            chips.add(new Chip(
                    reader.text(ItemText.label(type)), query.withoutType().address()));
        }
        var namespace = query.namespace();
        if (namespace != null) {
            chips.add(new Chip(
                    label(namespaces, namespace.hex(), reader.text("inbox.some-namespace")),
                    query.withoutNamespace().address()));
        }
        var author = query.author();
        if (author != null) {
            chips.add(new Chip(
                    reader.text("inbox.from", "author", label(authors, author, author)),
                    query.withoutAuthor().address()));
        }
        return chips;
    }

    private static String label(List<InboxOption> choices, String value, String otherwise) {
        return choices.stream()
                .filter(choice -> Objects.equals(choice.value(), value))
                .map(InboxOption::label)
                .findFirst()
                .orElse(otherwise);
    }
}
