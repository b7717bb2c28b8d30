package io.hiroba.activity.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.activity.settings.AttentionLists;
import io.hiroba.activity.settings.MutedPost;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The lists of what somebody has muted and follows, one of which may be asked for at a later page. */
public final class NotedLists {

    private static final int PAGE = 20;
    private static final int MOST = 50;

    private final AttentionLists lists;
    private final ReaderDays days;
    private final Cursors cursors;

    public NotedLists(AttentionLists lists, ReaderDays days, Cursors cursors) {
        this.lists = lists;
        this.days = days;
        this.cursors = cursors;
    }

    /** All that have something in them. */
    List<NotedList> of(Context ctx) {
        return Arrays.stream(NotedList.Name.values())
                .map(name -> list(ctx, name))
                .filter(list -> !list.items().isEmpty())
                .toList();
    }

    private NotedList list(Context ctx, NotedList.Name name) {
        var now = days.of(ctx);
        var when = new ReaderClock(now.now(), now.zone());
        return switch (name) {
            case PEOPLE ->
                page(
                        ctx,
                        name,
                        lists::mutedPeople,
                        muted -> NotedItem.person(muted.person(), "Muted " + when.ago(muted.since())));
            case POSTS ->
                page(
                        ctx,
                        name,
                        lists::mutedPosts,
                        muted -> NotedItem.post(
                                muted.post().id().hex(),
                                muted.post().ownedBy(),
                                muted.post().excerpt(),
                                part(muted) + when.ago(muted.since())));
            case FOLLOWED ->
                page(
                        ctx,
                        name,
                        lists::followedPosts,
                        followed -> NotedItem.post(
                                followed.post().id().hex(),
                                followed.post().ownedBy(),
                                followed.post().excerpt(),
                                "By %s · followed %s"
                                        .formatted(followed.post().ownedBy().nickname(), when.ago(followed.since()))));
        };
    }

    private static String part(MutedPost muted) {
        if (muted.likes() && muted.replies()) {
            return "All of it, muted ";
        }
        return muted.likes() ? "Its likes, muted " : "Its replies, muted ";
    }

    private interface Source<T> {
        List<Listed<T>> page(UserId reader, Position after, int limit);
    }

    private <T> NotedList page(Context ctx, NotedList.Name name, Source<T> source, Function<T, NotedItem> item) {
        var request = PageRequest.of(ctx, PAGE, MOST);
        var cursor = "pages.noted " + name.text();
        var after = name.text().equals(ctx.queryParam("list"))
                ? cursors.read(cursor, request).map(Position::of).orElse(Position.NEWEST)
                : Position.NEWEST;
        // One more than is shown tells whether there is another page.
        var found = source.page(Caller.of(ctx).user(), after, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var more = found.size() > shown.size()
                ? ActivityNav.SETTINGS + "?list=" + name.text() + "&after="
                        + cursors.write(cursor, shown.getLast().position().cursor())
                : null;
        return new NotedList(name, shown.stream().map(Listed::item).map(item).toList(), more);
    }
}
