package io.hiroba.records.pages;

import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.Queries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes cards of the records of a view. */
public final class ViewCards {

    private static final int MAX_CELLS = 4;

    private final ViewScope scope;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;

    ViewCards(ViewScope scope, PageContext context, RecordTitles titles, Queries queries) {
        this.scope = scope;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
    }

    /**
     * A record with its title and the first values that the view shows.
     *
     * @param path null for those who see it by a link
     */
    public record Card(String id, @Nullable String path, int version, String title, List<Cell> cells) {

        public Card {
            cells = List.copyOf(cells);
        }
    }

    /**
     * Some cards.
     *
     * @param covers the value of the cover for each, if there is one
     * @param next the cursor of those that follow
     */
    record Cards(
            List<Card> cards,
            List<Optional<Cell>> covers,
            @Nullable String next) {}

    /**
     * The records that satisfy a further condition.
     *
     * @param without attributes that the cards need not say
     */
    Cards page(
            @Nullable JsonNode further,
            List<SchemaAttribute> without,
            @Nullable SchemaAttribute cover,
            int limit,
            @Nullable String after) {
        var title = scope.title().orElse(null);
        var shown = scope.view().shown().stream()
                .filter(each -> !each.equals(title) && !each.equals(cover) && !without.contains(each))
                .limit(MAX_CELLS)
                .toList();
        var columns = Stream.concat(
                        Stream.of(Optional.ofNullable(title), Optional.ofNullable(cover))
                                .flatMap(Optional::stream),
                        shown.stream())
                .distinct()
                .toList();
        var rows = new GridRows(scope.access(), scope.recordAccess(), context, titles, scope.reader());
        var found = queries.page(
                scope.access().caller(),
                scope.access().project().id(),
                scope.query(further, rows.select(columns), limit).after(after));
        var lines = rows.of(found, columns);
        var cards = new ArrayList<Card>();
        var covers = new ArrayList<Optional<Cell>>();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i);
            var cells = line.cells();
            var name = title == null ? "" : cells.getFirst().text();
            cards.add(new Card(
                    line.id(),
                    scope.shared() == null ? line.path() : null,
                    found.rows().get(i).version(),
                    name.isBlank() ? RecordTitles.shortened(line.id()) : name,
                    cells.subList(columns.size() - shown.size(), columns.size()).stream()
                            .filter(each -> !each.kind().equals("none"))
                            .toList()));
            covers.add(cover == null ? Optional.empty() : Optional.of(cells.get(columns.indexOf(cover))));
        }
        return new Cards(cards, covers, found.next());
    }
}
