package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.markdown.Snippet;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.social.PeopleLists.PersonCard;
import io.hiroba.social.Post;
import io.hiroba.social.PostCard;
import io.hiroba.social.pages.FollowPages.FollowView;
import io.hiroba.social.pages.LikePages.LikeView;
import io.hiroba.social.pages.PeopleView.PersonItem;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;

/** Makes the views of posts and people for the reader of a request. */
final class CardViews {

    private final Readers readers;

    CardViews(Readers readers) {
        this.readers = readers;
    }

    List<PostItem> items(Context ctx, List<PostCard> cards) {
        return cards.stream().map(card -> item(ctx, card)).toList();
    }

    PostItem item(Context ctx, PostCard card) {
        var reader = readers.reader(ctx);
        var snippet = Snippet.fromJson(card.snippet());
        var updatedAt = card.updatedAt();
        return new PostItem(
                card.id().hex(),
                AuthorView.of(card.ownedBy()),
                time(reader, card.createdAt()),
                updatedAt == null ? null : reader.exact(updatedAt),
                SafeHtml.ofSnippet(snippet),
                card.lang(),
                snippet.cut(),
                card.tags(),
                card.replyTo(),
                card.countReplies(),
                card.allowReplies(),
                card.repliedByMe(),
                LikeView.of(card, ReturnPath.here(ctx)),
                Caller.of(ctx).mayChange(card.ownedBy().id()));
    }

    PostItem expanded(Context ctx, Post post) {
        return item(ctx, post.card()).expanded(post.html());
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
        var follow = new FollowView(author.id(), author.nickname(), followed, !self, ReturnPath.here(ctx));
        return new PersonItem(author, follow, followsMe);
    }

    private static PostItem.Time time(Reader reader, Instant time) {
        return new PostItem.Time(reader.ago(time), reader.exact(time), time.toString());
    }
}
