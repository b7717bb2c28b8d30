package io.hiroba.social.pages;

import gg.jte.Content;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.markdown.Snippet;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.social.Post;
import io.hiroba.social.PostCard;
import io.hiroba.social.follow.PersonCard;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Turns posts and people into what templates show the reader of a request. */
public final class Cards {

    private final Readers readers;
    private final InstantSource clock;
    private final Additions additions;

    public Cards(Readers readers, InstantSource clock, Additions additions) {
        this.readers = readers;
        this.clock = clock;
        this.additions = additions;
    }

    List<PostItem> items(Context ctx, List<PostCard> cards) {
        return cards.stream().map(card -> item(ctx, card)).toList();
    }

    PostItem item(Context ctx, PostCard card) {
        var when = new ReaderClock(clock.instant(), readers.zone(ctx));
        var snippet = Snippet.fromJson(card.snippet());
        var updatedAt = card.updatedAt();
        return new PostItem(
                card.id().hex(),
                AuthorView.of(card.ownedBy()),
                when(when, card.createdAt()),
                updatedAt == null ? null : when.exact(updatedAt),
                SafeHtml.ofSnippet(snippet),
                snippet.cut(),
                card.tags(),
                card.replyTo(),
                card.countReplies(),
                card.allowReplies(),
                card.repliedByMe(),
                LikeView.of(card, Back.here(ctx)),
                Caller.of(ctx).mayChange(card.ownedBy().id()));
    }

    PostItem whole(Context ctx, Post post) {
        return item(ctx, post.card()).whole(post.html());
    }

    /** What others show below a post on its own page. */
    Content below(Context ctx, Post post) {
        return additions.belowPost(ctx, post.card());
    }

    PersonItem person(Context ctx, PersonCard card) {
        return person(ctx, AuthorView.of(card.person()), card.followedByMe(), card.followsMe());
    }

    /** Somebody whom the reader does not follow. */
    PersonItem stranger(Context ctx, AuthorView author) {
        return person(ctx, author, false, false);
    }

    private static PersonItem person(Context ctx, AuthorView author, boolean followed, boolean followsMe) {
        boolean self = Caller.of(ctx).user().hex().equals(author.id());
        var follow = new FollowView(author.id(), author.nickname(), followed, !self, Back.here(ctx));
        return new PersonItem(author, follow, followsMe);
    }

    private static PostItem.When when(ReaderClock when, Instant time) {
        return new PostItem.When(when.ago(time), when.exact(time), time.toString());
    }
}
