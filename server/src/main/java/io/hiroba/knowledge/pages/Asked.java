package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.search.Filters;
import io.hiroba.knowledge.search.Mode;
import io.hiroba.knowledge.search.SearchQuery;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the page of knowledge is asked for, as its address and its form say it; what does not matter is empty.
 *
 * @param isAsk whether a question is to be answered, rather than passages to be found
 * @param mode as the API spells it
 * @param type as the API spells it
 * @param from the first day, and {@code to} the last, of the reader
 * @param source the only source to search, by its id
 * @param sourceTitle what it is called, for those who may read it
 */
public record Asked(
        String query,
        boolean isAsk,
        String mode,
        String type,
        String from,
        String to,
        String source,
        String sourceTitle,
        int limit) {

    private static final int USUAL = 10;
    private static final int MOST = 50;

    static Asked of(Context ctx) {
        return new Asked(
                given(ctx, "q"),
                given(ctx, "way").equals("ask"),
                given(ctx, "mode"),
                given(ctx, "type"),
                given(ctx, "from"),
                given(ctx, "to"),
                given(ctx, "source"),
                "this source",
                limit(given(ctx, "limit")));
    }

    /** Of a form that was sent, too. */
    private static String given(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name))
                .or(() -> Optional.ofNullable(ctx.formParam(name)))
                .map(String::strip)
                .filter(text -> text.indexOf('\0') < 0)
                .orElse("");
    }

    private static int limit(String text) {
        return text.matches("[0-9]{1,3}") ? Math.clamp(Integer.parseInt(text), 1, MOST) : USUAL;
    }

    Asked asking() {
        return new Asked(query, true, mode, type, from, to, source, sourceTitle, limit);
    }

    Asked titled(String title) {
        return new Asked(query, isAsk, mode, type, from, to, source, title, limit);
    }

    SearchQuery search(ZoneId zone) {
        return new SearchQuery(query, chosenMode(), limit, filters(zone), null);
    }

    Filters filters(ZoneId zone) {
        var last = day("to", to, zone, 1);
        return new Filters(
                chosenType(),
                source.isEmpty() ? null : SourceId.parse(source),
                null,
                null,
                day("from", from, zone, 0),
                last);
    }

    private Mode chosenMode() {
        return mode.isEmpty()
                ? Mode.HYBRID
                : Mode.of(mode).orElseThrow(() -> KnowledgeProblem.invalid("mode", "is none that there is"));
    }

    private @Nullable SourceType chosenType() {
        return type.isEmpty()
                ? null
                : SourceType.of(type).orElseThrow(() -> KnowledgeProblem.invalid("type", "is none that there is"));
    }

    private static @Nullable Instant day(String field, String text, ZoneId zone, int later) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return LocalDate.parse(text).plusDays(later).atStartOfDay(zone).toInstant();
        } catch (DateTimeException e) {
            throw KnowledgeProblem.invalid(field, "must be a day such as 2026-01-31");
        }
    }

    public List<Choice> modes() {
        var chosen = mode.isEmpty() ? Mode.HYBRID.text() : mode;
        return Stream.of(Mode.values())
                .map(each -> new Choice(
                        each.text(),
                        switch (each) {
                            case HYBRID -> "Both";
                            case VECTOR -> "Meaning";
                            case KEYWORD -> "Words";
                        },
                        switch (each) {
                            case HYBRID -> "By meaning and by words together";
                            case VECTOR -> "What means the same, whatever its words";
                            case KEYWORD -> "What has these words";
                        },
                        each.text().equals(chosen)))
                .toList();
    }

    public List<Choice> kinds() {
        return Choice.kinds(type);
    }

    public int filterCount() {
        return (int)
                Stream.of(type, from, to).filter(filter -> !filter.isEmpty()).count();
    }

    public boolean isFiltered() {
        return filterCount() > 0 || !source.isEmpty();
    }

    public String unfiltered() {
        return words().with("limit", limit == USUAL ? "" : Integer.toString(limit))
                .text();
    }

    public String withoutSource() {
        return address().text();
    }

    /** The same search in one source alone. */
    public String within(String one) {
        return address().with("source", one).text();
    }

    private Address words() {
        return Address.of(Paths.ALL).with("q", query).with("mode", mode);
    }

    private Address address() {
        return words().with("type", type)
                .with("from", from)
                .with("to", to)
                .with("limit", limit == USUAL ? "" : Integer.toString(limit));
    }
}
