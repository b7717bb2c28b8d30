package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import io.hiroba.social.follow.PersonCard;
import io.javalin.http.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows the page of a list that a request asks for, and where the next one is. */
public final class Pager {

    private static final int PAGE = 20;
    private static final int MOST = 50;

    private final Cards cards;
    private final Cursors cursors;

    public Pager(Cards cards, Cursors cursors) {
        this.cards = cards;
        this.cursors = cursors;
    }

    /** A list as one reader sees it. */
    interface Source<T> {
        List<Listed<T>> page(UserId viewer, Position after, int limit);
    }

    PostsView posts(Context ctx, String list, Position start, Source<PostCard> source) {
        var page = page(ctx, list, start, source);
        return new PostsView(cards.items(ctx, page.items()), page.more());
    }

    PeopleItems people(Context ctx, String list, Source<PersonCard> source) {
        var page = page(ctx, list, Position.NEWEST, source);
        return new PeopleItems(
                page.items().stream().map(card -> cards.person(ctx, card)).toList(), page.more());
    }

    private <T> Found<T> page(Context ctx, String list, Position start, Source<T> source) {
        var request = PageRequest.of(ctx, PAGE, MOST);
        var name = "pages." + list;
        var after = cursors.read(name, request).map(Position::of).orElse(start);
        // One more than is shown tells whether there is another page.
        var found = source.page(Caller.of(ctx).user(), after, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var more = found.size() > shown.size()
                ? ctx.path() + "?after="
                        + cursors.write(name, shown.getLast().position().cursor())
                : null;
        return new Found<>(shown.stream().map(Listed::item).toList(), more);
    }

    private record Found<T>(List<T> items, @Nullable String more) {}
}
