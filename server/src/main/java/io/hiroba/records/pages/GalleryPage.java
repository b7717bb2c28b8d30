package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.query.Queries;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A view as a gallery of cards with pictures. */
public final class GalleryPage {

    private static final int PAGE = 48;

    private final Shell shell;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;

    GalleryPage(Shell shell, PageContext context, RecordTitles titles, Queries queries) {
        this.shell = shell;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
    }

    /**
     * The cards of a gallery.
     *
     * @param more the path of the cards that follow, if any
     */
    public record Gallery(List<Picture> pictures, @Nullable String more) {

        public Gallery {
            pictures = List.copyOf(pictures);
        }
    }

    /**
     * A card.
     *
     * @param cover the path of a picture on this server; those of others are not loaded
     */
    public record Picture(ViewCards.Card card, @Nullable String cover) {}

    void show(Context ctx, ViewScope scope, ViewTabs tabs) {
        show(ctx, scope, tabs, new Paths(given -> given, given -> given, given -> given));
    }

    /**
     * The addresses of a gallery that is seen by a link.
     *
     * @param cursor what is asked for as the next cards, as it was told
     * @param next what is told of them
     * @param cover the address of a picture that is attached
     */
    record Paths(UnaryOperator<String> cursor, UnaryOperator<String> next, UnaryOperator<String> cover) {}

    /** @param tabs null for those who see it by a link */
    void show(Context ctx, ViewScope scope, @Nullable ViewTabs tabs, Paths paths) {
        var cover =
                scope.view().attribute(scope.view().definition().set().cover()).orElse(null);
        var after = Optional.ofNullable(ctx.queryParam("after"))
                .filter(cursor -> !cursor.isEmpty())
                .map(paths.cursor())
                .orElse(null);
        var found = new ViewCards(scope, context, titles, queries).page(null, List.of(), cover, PAGE, after);
        var pictures = new ArrayList<Picture>();
        for (int i = 0; i < found.cards().size(); i++) {
            pictures.add(new Picture(
                    found.cards().get(i),
                    found.covers().get(i).map(cell -> path(cell, paths)).orElse(null)));
        }
        var next = found.next();
        var gallery = new Gallery(
                pictures,
                next == null
                        ? null
                        : scope.path() + "?after="
                                + RecordPaths.encoded(paths.next().apply(next)));
        var parameters = new HashMap<String, Object>();
        if (tabs != null) {
            parameters.put("tabs", tabs);
        }
        parameters.put("name", scope.view().view().name());
        parameters.put("gallery", gallery);
        shell.page(ctx, Text.verbatim(scope.view().view().name()), "records/gallery", parameters);
    }

    /** The first picture that is attached, or the address of one on this server. */
    private static @Nullable String path(Cell cell, Paths paths) {
        if (cell.kind().equals("files")) {
            return cell.items().stream()
                    .map(Cell.Item::thumbnail)
                    .filter(Objects::nonNull)
                    .map(paths.cover())
                    .findFirst()
                    .orElse(null);
        }
        return cell.text().startsWith("/") && !cell.text().startsWith("//") ? cell.text() : null;
    }
}
