package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Follows;
import io.hiroba.social.Follows.Relation;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The actions that follow and block. Repeating one from another window is not an error. */
public final class FollowPages implements Routes {

    private static final Pattern PROFILE = Pattern.compile("/users/([0-9A-F]{16})(?![0-9A-F])");

    private final Shell shell;
    private final Users users;
    private final Follows follows;

    FollowPages(Shell shell, Users users, Follows follows) {
        this.shell = shell;
        this.users = users;
        this.follows = follows;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/users/{id}/follow", ctx -> follow(ctx, true));
        routes.post("/users/{id}/unfollow", ctx -> follow(ctx, false));
        routes.post("/users/{id}/block", this::block);
        routes.post("/users/{id}/unblock", this::unblock);
    }

    private void follow(Context ctx, boolean follow) {
        var caller = Caller.of(ctx);
        var other = other(ctx);
        var back = ReturnPath.of(ctx, "/users/" + other);
        if (follow) {
            unlessDone("social.already-following", () -> follows.follow(caller, other));
        } else {
            unlessDone("social.not-following", () -> follows.unfollow(caller, other));
        }
        if (HtmxRequest.isFragment(ctx)) {
            var nickname = users.profile(other).user().nickname().value();
            var view = new FollowView(other.hex(), nickname, follow, true, back);
            shell.page(
                    ctx,
                    Text.of("social.follow"),
                    "social/followed",
                    Map.of("follow", view, "counts", counts(caller.user(), other, back)));
        } else {
            shell.seeOther(ctx, back);
        }
    }

    /** The counts that have changed on the page, if it is a profile: of who is followed, or of the reader. */
    private List<ShownCounts> counts(UserId reader, UserId other, String page) {
        var profile = PROFILE.matcher(page);
        if (!profile.lookingAt()) {
            return List.of();
        }
        var shown = UserId.parse(profile.group(1));
        return shown.equals(other) || shown.equals(reader)
                ? List.of(new ShownCounts(shown.hex(), follows.relation(reader, shown)))
                : List.of();
    }

    private void block(Context ctx) {
        var other = other(ctx);
        unlessDone("social.already-blocked", () -> follows.block(Caller.of(ctx), other));
        shell.seeOther(ctx, "/users/" + other, Text.of("social.blocked"));
    }

    private void unblock(Context ctx) {
        var other = other(ctx);
        unlessDone("social.not-blocked", () -> follows.unblock(Caller.of(ctx), other));
        shell.seeOther(ctx, "/users/" + other, Text.of("social.unblocked"));
    }

    private static void unlessDone(String alreadyDone, Runnable action) {
        try {
            action.run();
        } catch (Problem refusal) {
            if (!refusal.code().equals(alreadyDone)) {
                throw refusal;
            }
        }
    }

    private static UserId other(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }

    /** The counts of the profile that a page shows. */
    public record ShownCounts(String userId, Relation relation) {}

    /**
     * The button that follows somebody.
     *
     * @param isShown not for oneself
     * @param back the page to return to without scripts
     */
    public record FollowView(String userId, String nickname, boolean isFollowing, boolean isShown, String back) {}
}
