package io.hiroba.inbox;

import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A filter in a request: names and ids, with commas between several actions or types. */
record InboxFilterRequest(
        @Nullable String state,
        @Nullable String action,
        @Nullable String type,
        @Nullable String namespace,
        @Nullable String author,
        @Nullable String resource,
        @Nullable String sort) {

    private static final int MAX_NAME_LENGTH = 255;
    private static final Pattern COMMA = Pattern.compile(",");

    static InboxFilterRequest of(Context ctx) {
        return new InboxFilterRequest(
                ctx.queryParam("state"),
                joined(ctx, "action"),
                joined(ctx, "type"),
                ctx.queryParam("namespace"),
                ctx.queryParam("author"),
                ctx.queryParam("resource"),
                ctx.queryParam("sort"));
    }

    private static @Nullable String joined(Context ctx, String name) {
        var values = ctx.queryParams(name);
        return values.isEmpty() ? null : String.join(",", values);
    }

    /** Parses the filter. An empty parameter counts as missing; an unknown value is a problem. */
    InboxFilter filter() {
        return new InboxFilter(
                present(state)
                        .map(text -> one("state", text, InboxView::find, InboxView.values(), InboxView::text))
                        .orElse(InboxView.TODO),
                present(action)
                        .map(text -> several("action", text, Action::find, Action.values(), Action::text))
                        .orElse(Set.of()),
                present(type)
                        .map(text ->
                                several("type", text, ResourceType::find, ResourceType.values(), ResourceType::text))
                        .orElse(Set.of()),
                present(namespace).map(NamespaceId::parse).orElse(null),
                present(author).map(InboxFilterRequest::name).orElse(null),
                present(resource).map(ResourceId::parse).orElse(null),
                present(sort)
                        .map(text -> one("sort", text, ItemSort::find, ItemSort.values(), ItemSort::text))
                        .orElse(ItemSort.RECOMMENDED));
    }

    private static Optional<String> present(@Nullable String text) {
        return Optional.ofNullable(text).filter(value -> !value.isBlank());
    }

    private static String name(String text) {
        if (text.length() > MAX_NAME_LENGTH) {
            throw InboxProblem.invalid("author", Text.of("inbox.field.max-characters", "max", MAX_NAME_LENGTH));
        }
        return text;
    }

    private static <T> Set<T> several(
            String field, String text, Function<String, Optional<T>> find, T[] all, Function<T, String> name) {
        var parts = COMMA.splitAsStream(text)
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
        if (parts.isEmpty()) {
            throw InboxProblem.invalid(field, Text.of("inbox.field.between-commas"));
        }
        return parts.stream().map(part -> one(field, part, find, all, name)).collect(Collectors.toSet());
    }

    private static <T> T one(
            String field, String text, Function<String, Optional<T>> find, T[] all, Function<T, String> name) {
        return find.apply(text)
                .orElseThrow(
                        () -> InboxProblem.notOneOf(field, Arrays.stream(all).map(name)));
    }
}
