package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeCollections;
import io.hiroba.knowledge.KnowledgeCollections.Collection;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.search.KnowledgeQuery;
import io.hiroba.knowledge.search.SearchFilters;
import io.hiroba.knowledge.search.SearchMode;
import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the search form, from the query or the form body; those not given are empty.
 *
 * @param mode as in the API
 * @param type as in the API
 * @param from the first day and {@code to} the last, in the reader's time zone
 * @param source the id of the only source to search
 * @param sourceTitle its title, if the reader may read it
 * @param collection the id of the only collection to search
 * @param collections those to choose from
 */
public record SearchForm(
        String query,
        String mode,
        String type,
        String from,
        String to,
        String source,
        @Nullable String sourceTitle,
        int limit,
        String collection,
        List<Choice> collections) {

    public SearchForm {
        collections = List.copyOf(collections);
    }

    private static final int MAX_COLLECTIONS = 100;

    static SearchForm of(Context ctx) {
        return new SearchForm(
                given(ctx, "q"),
                given(ctx, "mode"),
                given(ctx, "type"),
                given(ctx, "from"),
                given(ctx, "to"),
                given(ctx, "source"),
                null,
                limit(given(ctx, "limit")),
                given(ctx, "collection"),
                List.of());
    }

    private static String given(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name))
                .or(() -> Optional.ofNullable(ctx.formParam(name)))
                .map(String::strip)
                .filter(text -> text.indexOf('\0') < 0)
                .orElse("");
    }

    private static int limit(String text) {
        return text.matches("[0-9]{1,3}")
                ? Math.clamp(Integer.parseInt(text), 1, KnowledgeQuery.MAX_LIMIT)
                : KnowledgeQuery.DEFAULT_LIMIT;
    }

    SearchForm titled(String title) {
        return new SearchForm(query, mode, type, from, to, source, title, limit, collection, collections);
    }

    /** With the collections that the reader may search. */
    SearchForm among(KnowledgeCollections all, Caller reader) {
        var choices = Choice.collections(all, reader, collection, any -> true);
        return new SearchForm(query, mode, type, from, to, source, sourceTitle, limit, collection, choices);
    }

    KnowledgeQuery search(ZoneId zone) {
        return new KnowledgeQuery(query, chosenMode(), limit, filters(zone), null);
    }

    SearchFilters filters(ZoneId zone) {
        var last = day("to", to, zone, 1);
        return new SearchFilters(
                chosenType(),
                source.isEmpty() ? null : SourceId.parse(source),
                null,
                null,
                day("from", from, zone, 0),
                last,
                collection.isEmpty() ? null : CollectionId.parse(collection));
    }

    private SearchMode chosenMode() {
        return mode.isEmpty()
                ? SearchMode.HYBRID
                : SearchMode.of(mode)
                        .orElseThrow(() -> KnowledgeProblem.invalid("mode", Text.of("knowledge.field.unknown")));
    }

    private @Nullable SourceType chosenType() {
        return type.isEmpty()
                ? null
                : SourceType.of(type)
                        .orElseThrow(() -> KnowledgeProblem.invalid("type", Text.of("knowledge.field.unknown")));
    }

    private static @Nullable Instant day(String field, String text, ZoneId zone, int later) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return LocalDate.parse(text).plusDays(later).atStartOfDay(zone).toInstant();
        } catch (DateTimeException e) {
            throw KnowledgeProblem.invalid(field, Text.of("knowledge.field.day"));
        }
    }

    public List<Choice> modes() {
        var chosen = mode.isEmpty() ? SearchMode.HYBRID.text() : mode;
        return Stream.of(SearchMode.values())
                .map(each -> new Choice(
                        each.text(),
                        Text.of("knowledge.search.mode-" + each.text()),
                        Text.of("knowledge.search.hint-" + each.text()),
                        each.text().equals(chosen)))
                .toList();
    }

    public List<Choice> kinds() {
        return Choice.kinds(type);
    }

    public int filterCount() {
        return (int) Stream.of(type, from, to, collection)
                .filter(filter -> !filter.isEmpty())
                .count();
    }

    public boolean isFiltered() {
        return filterCount() > 0 || !source.isEmpty();
    }

    public String unfiltered() {
        return words().with("limit", limit == KnowledgeQuery.DEFAULT_LIMIT ? "" : Integer.toString(limit))
                .text();
    }

    public String withoutSource() {
        return address().text();
    }

    /** The same search in one source alone. */
    public String within(String one) {
        return address().with("source", one).text();
    }

    private KnowledgePaths.Url words() {
        return KnowledgePaths.Url.of(KnowledgePaths.SEARCH).with("q", query).with("mode", mode);
    }

    private KnowledgePaths.Url address() {
        return words().with("type", type)
                .with("from", from)
                .with("to", to)
                .with("collection", collection)
                .with("limit", limit == KnowledgeQuery.DEFAULT_LIMIT ? "" : Integer.toString(limit));
    }

    /** An option of a form. */
    public record Choice(String value, Text label, @Nullable Text hint, boolean chosen) {

        /** The newest collections that the caller may read, as far as they are {@code wanted}. */
        static List<Choice> collections(
                KnowledgeCollections all, Caller caller, String chosen, Predicate<Collection> wanted) {
            return all.list(caller, Optional.empty(), MAX_COLLECTIONS).stream()
                    .filter(wanted)
                    .map(each -> new Choice(
                            each.id().hex(),
                            Text.verbatim(each.name()),
                            null,
                            each.id().hex().equals(chosen)))
                    .toList();
        }

        /** Every type of source. */
        static List<Choice> kinds(String chosen) {
            return Stream.of(SourceType.values())
                    .map(type -> new Choice(
                            type.text(),
                            SourceItem.Kind.of(type).label(),
                            null,
                            type.text().equals(chosen)))
                    .toList();
        }
    }
}
