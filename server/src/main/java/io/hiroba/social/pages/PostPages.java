package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.PeopleLists;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostFilter;
import io.hiroba.social.PostId;
import io.hiroba.social.PostLists;
import io.hiroba.social.Posts;
import io.hiroba.social.pages.PostPages.ReplyTree;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page of a post with its ancestors and replies, and that of its likers. */
public final class PostPages implements Routes {

    private static final int MAX_ANCESTORS = 8;

    /** How deep replies to replies are shown, and how many to each. */
    private static final int LEVELS = 3;

    private static final int REPLIES_SHOWN = 3;

    private final Shell shell;
    private final Posts posts;
    private final PostLists lists;
    private final PeopleLists people;
    private final ListPager pager;
    private final CardViews cards;
    private final Additions additions;

    PostPages(
            Shell shell,
            Posts posts,
            PostLists lists,
            PeopleLists people,
            ListPager pager,
            CardViews cards,
            Additions additions) {
        this.shell = shell;
        this.posts = posts;
        this.lists = lists;
        this.people = people;
        this.pager = pager;
        this.cards = cards;
        this.additions = additions;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/posts/{id}", this::show);
        routes.get("/posts/{id}/likers", this::likers);
    }

    private void show(Context ctx) {
        var reader = Caller.of(ctx).user();
        var id = PostId.parse(ctx.pathParam("id"));
        var post = posts.get(reader, id);
        var ancestors =
                post.card().replyTo() == null ? List.<PostCard>of() : lists.ancestors(reader, id, MAX_ANCESTORS);
        var level = pager.posts(
                ctx,
                "replies " + id,
                Position.OLDEST,
                (viewer, after, limit) -> lists.list(viewer, PostFilter.repliesTo(id), after, limit));
        var thread = new ThreadView(
                cards.items(ctx, ancestors),
                cards.expanded(ctx, post),
                replyTrees(ctx, reader, level.items(), LEVELS - 1),
                level.more());
        var author = post.card().ownedBy().nickname();
        shell.page(
                ctx,
                Text.of("social.post-by", "name", author),
                "social/post",
                Map.of(
                        "thread", thread,
                        "below", additions.belowPost(ctx, post.card()),
                        "composer", ComposerView.reply(id.hex())));
    }

    /** One statement for each level, however many replies there are. */
    private List<ReplyTree> replyTrees(Context ctx, UserId reader, List<PostItem> level, int depth) {
        var withReplies = level.stream()
                .filter(post -> post.replies() > 0)
                .map(post -> PostId.parse(post.id()))
                .toList();
        if (depth == 0) {
            var deeper = lists.haveReplies(reader, withReplies);
            return level.stream()
                    .map(post -> new ReplyTree(post, List.of(), deeper.contains(PostId.parse(post.id()))))
                    .toList();
        }
        var below = lists.replies(reader, withReplies, REPLIES_SHOWN + 1);
        var shown = new ArrayList<PostItem>();
        below.values()
                .forEach(replies ->
                        replies.stream().limit(REPLIES_SHOWN).forEach(card -> shown.add(cards.item(ctx, card))));
        var deeper = replyTrees(ctx, reader, shown, depth - 1);
        return level.stream()
                .map(post -> new ReplyTree(
                        post,
                        deeper.stream()
                                .filter(tree -> isReply(tree.post(), post.id()))
                                .toList(),
                        below.getOrDefault(PostId.parse(post.id()), List.of()).size() > REPLIES_SHOWN))
                .toList();
    }

    private static boolean isReply(PostItem reply, String post) {
        var parent = reply.replyTo();
        return parent != null && parent.id().hex().equals(post);
    }

    private void likers(Context ctx) {
        var id = PostId.parse(ctx.pathParam("id"));
        var post = posts.get(Caller.of(ctx).user(), id);
        var found =
                pager.people(ctx, "likers " + id, (viewer, after, limit) -> people.likers(viewer, id, after, limit));
        shell.page(
                ctx,
                Text.of("social.liked-by"),
                "social/likers",
                Map.of("people", found, "post", cards.item(ctx, post.card())));
    }

    /**
     * A reply with the replies to it.
     *
     * @param hasMore whether there are more replies than are shown here
     */
    public record ReplyTree(PostItem post, List<ReplyTree> replies, boolean hasMore) {

        public ReplyTree {
            replies = List.copyOf(replies);
        }
    }

    /**
     * A post in its thread.
     *
     * @param ancestors the farthest first
     * @param more the address of the next replies, if there are more
     */
    public record ThreadView(
            List<PostItem> ancestors,
            PostItem post,
            List<ReplyTree> replies,
            @Nullable String more) {

        public ThreadView {
            ancestors = List.copyOf(ancestors);
            replies = List.copyOf(replies);
        }
    }
}
