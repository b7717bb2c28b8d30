package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.query.Queries;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
        var cover =
                scope.view().attribute(scope.view().definition().set().cover()).orElse(null);
        var after = Optional.ofNullable(ctx.queryParam("after"))
                .filter(cursor -> !cursor.isEmpty())
                .orElse(null);
        var found = new ViewCards(scope, context, titles, queries).page(null, List.of(), cover, PAGE, after);
        var pictures = new ArrayList<Picture>();
        for (int i = 0; i < found.cards().size(); i++) {
            pictures.add(new Picture(
                    found.cards().get(i),
                    found.covers().get(i).map(GalleryPage::path).orElse(null)));
        }
        var next = found.next();
        var gallery = new Gallery(pictures, next == null ? null : scope.path() + "?after=" + RecordPaths.encoded(next));
        shell.page(
                ctx,
                Text.verbatim(scope.view().view().name()),
                "records/gallery",
                Map.of("tabs", tabs, "gallery", gallery));
    }

    /** The first picture that is attached, or the address of one on this server. */
    private static @Nullable String path(Cell cell) {
        if (cell.kind().equals("files")) {
            return cell.items().stream()
                    .map(Cell.Item::thumbnail)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        return cell.text().startsWith("/") && !cell.text().startsWith("//") ? cell.text() : null;
    }
}
