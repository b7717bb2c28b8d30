package io.hiroba.inbox.pages;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxFilter;
import io.hiroba.inbox.InboxView;
import io.hiroba.inbox.ItemSort;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.platform.id.Ids;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The list that a URL selects. Invalid parameters are ignored. */
public record InboxQuery(
        InboxView view,
        @Nullable Action action,
        @Nullable ResourceType type,
        @Nullable NamespaceId namespace,
        @Nullable String author,
        ItemSort sort) {

    /** A parameter of a URL or a form. */
    public record Field(String name, String value) {}

    private static final int MAX_NAME_LENGTH = 255;

    static InboxQuery of(Context ctx) {
        return read(ctx::queryParam);
    }

    /** Reads the hidden fields of a form. */
    static InboxQuery ofForm(Context ctx) {
        return read(ctx::formParam);
    }

    private static InboxQuery read(Function<String, @Nullable String> parameters) {
        return new InboxQuery(
                value(parameters, "state").flatMap(InboxView::find).orElse(InboxView.TODO),
                value(parameters, "action").flatMap(Action::find).orElse(null),
                value(parameters, "type").flatMap(ResourceType::find).orElse(null),
                value(parameters, "namespace")
                        .filter(text -> Ids.isId(text))
                        .map(NamespaceId::parse)
                        .orElse(null),
                value(parameters, "author")
                        .filter(text -> text.length() <= MAX_NAME_LENGTH && text.indexOf('\0') < 0)
                        .orElse(null),
                value(parameters, "sort").flatMap(ItemSort::find).orElse(ItemSort.RECOMMENDED));
    }

    private static Optional<String> value(Function<String, @Nullable String> parameters, String name) {
        return Optional.ofNullable(parameters.apply(name)).filter(text -> !text.isBlank());
    }

    InboxFilter filter() {
        return new InboxFilter(
                view,
                action == null ? Set.of() : Set.of(action),
                type == null ? Set.of() : Set.of(type),
                namespace,
                author,
                null,
                sort);
    }

    InboxQuery in(InboxView other) {
        return new InboxQuery(other, action, type, namespace, author, sort);
    }

    InboxQuery in(NamespaceId other) {
        return new InboxQuery(view, action, type, other, author, sort);
    }

    InboxQuery withoutNamespace() {
        return new InboxQuery(view, action, type, null, author, sort);
    }

    InboxQuery withoutAuthor() {
        return new InboxQuery(view, action, type, namespace, null, sort);
    }

    InboxQuery withoutAction() {
        return new InboxQuery(view, null, type, namespace, author, sort);
    }

    InboxQuery withoutType() {
        return new InboxQuery(view, action, null, namespace, author, sort);
    }

    public boolean isFiltered() {
        return action != null || type != null || namespace != null || author != null;
    }

    /** The address of the list without filters. */
    public String unfiltered() {
        return new InboxQuery(view, null, null, null, null, sort).address();
    }

    /** The parameters that differ from the defaults. */
    public List<Field> fields() {
        var fields = new ArrayList<Field>();
        if (view != InboxView.TODO) {
            fields.add(new Field("state", view.text()));
        }
        if (action != null) {
            fields.add(new Field("action", action.text()));
        }
        if (type != null) {
            fields.add(new Field("type", type.text()));
        }
        if (namespace != null) {
            fields.add(new Field("namespace", namespace.hex()));
        }
        if (author != null) {
            fields.add(new Field("author", author));
        }
        if (sort != ItemSort.RECOMMENDED) {
            fields.add(new Field("sort", sort.text()));
        }
        return fields;
    }

    public String address() {
        return with(fields());
    }

    String after(String cursor) {
        var fields = new ArrayList<>(fields());
        fields.add(new Field("after", cursor));
        return with(fields);
    }

    private static String with(List<Field> fields) {
        var query = fields.stream()
                .map(field -> field.name() + "=" + URLEncoder.encode(field.value(), StandardCharsets.UTF_8))
                .toList();
        return query.isEmpty() ? InboxNav.INBOX : InboxNav.INBOX + "?" + String.join("&", query);
    }
}
