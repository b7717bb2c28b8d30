package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Likes;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The actions that like and unlike. Repeating one from another window is not an error. */
public final class LikePages implements Routes {

    private final Shell shell;
    private final Posts posts;
    private final Likes likes;

    LikePages(Shell shell, Posts posts, Likes likes) {
        this.shell = shell;
        this.posts = posts;
        this.likes = likes;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/posts/{id}/like", ctx -> perform(ctx, likes::like, "social.already-liked"));
        routes.post("/posts/{id}/unlike", ctx -> perform(ctx, likes::unlike, "social.not-liked"));
    }

    private interface Action {
        void perform(Caller caller, PostId post);
    }

    private void perform(Context ctx, Action action, String alreadyDone) {
        var caller = Caller.of(ctx);
        var id = PostId.parse(ctx.pathParam("id"));
        try {
            action.perform(caller, id);
        } catch (Problem refusal) {
            if (!refusal.code().equals(alreadyDone)) {
                throw refusal;
            }
        }
        var back = ReturnPath.of(ctx, "/posts/" + id);
        if (HtmxRequest.isFragment(ctx)) {
            var card = posts.get(caller.user(), id).card();
            shell.page(ctx, Text.of("social.like"), "social/like", Map.of("like", LikeView.of(card, back)));
        } else {
            shell.seeOther(ctx, back + "#post-" + id);
        }
    }

    /**
     * The like button of a post.
     *
     * @param allowed whether the post takes likes
     * @param back the page to return to without scripts
     */
    public record LikeView(String postId, int count, boolean liked, boolean allowed, String back) {

        static LikeView of(PostCard card, String back) {
            return new LikeView(card.id().hex(), card.countLikes(), card.likedByMe(), card.allowLikes(), back);
        }
    }
}
