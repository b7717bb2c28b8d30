package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Page;
import io.hiroba.social.Listed;
import io.hiroba.social.PeopleLists.PersonCard;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import io.javalin.http.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the page of a list that a request asks for, and the address of the next one. */
final class ListPager {

    private static final int PAGE_SIZE = 20;
    private static final int MAX_PAGE_SIZE = 50;

    private final CardViews cards;
    private final Cursors cursors;

    ListPager(CardViews cards, Cursors cursors) {
        this.cards = cards;
        this.cursors = cursors;
    }

    /** Finds what a list holds for one reader. */
    interface Source<T> {
        List<Listed<T>> page(UserId viewer, Position after, int limit);
    }

    PostsView posts(Context ctx, String list, Position start, Source<PostCard> source) {
        var page = page(ctx, list, start, source);
        return new PostsView(cards.items(ctx, page.items()), nextPage(ctx, page));
    }

    PeopleView people(Context ctx, String list, Source<PersonCard> source) {
        var page = page(ctx, list, Position.NEWEST, source);
        return new PeopleView(
                page.items().stream().map(card -> cards.person(ctx, card)).toList(), nextPage(ctx, page));
    }

    private <T> Page<T> page(Context ctx, String list, Position start, Source<T> source) {
        var viewer = Caller.of(ctx).user();
        return new KeysetList<Listed<T>, Position>(
                        cursors,
                        "pages." + list,
                        PAGE_SIZE,
                        MAX_PAGE_SIZE,
                        Position::of,
                        listed -> listed.position().cursor())
                .page(ctx, (after, limit) -> source.page(viewer, after.orElse(start), limit))
                .map(Listed::item);
    }

    private static @Nullable String nextPage(Context ctx, Page<?> page) {
        return page.next() == null ? null : ctx.path() + "?after=" + page.next();
    }
}
