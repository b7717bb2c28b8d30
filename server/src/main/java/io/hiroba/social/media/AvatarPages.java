package io.hiroba.social.media;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The pages that set and remove an avatar. The form itself is on the page of the profile as well. */
final class AvatarPages implements Routes {

    private static final String PROFILE = "/settings/profile";

    private final Shell shell;
    private final Media media;
    private final MediaUploads uploads;

    AvatarPages(Shell shell, Media media, MediaUploads uploads) {
        this.shell = shell;
        this.media = media;
        this.uploads = uploads;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings/avatar", ctx -> shell.seeOther(ctx, PROFILE));
        routes.post("/settings/avatar", this::save);
        routes.post("/settings/avatar/remove", this::remove);
    }

    private void save(Context ctx) {
        var caller = Caller.of(ctx);
        try (var file = uploads.receive(ctx, media.limits().avatarSize(), () -> media.admit(caller, caller.user()))) {
            media.setAvatar(caller, caller.user(), file);
            shell.seeOther(ctx, PROFILE, Text.of("social.picture-saved"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            shell.page(
                    ctx,
                    Text.of("social.picture"),
                    "social/settings-avatar",
                    Map.of("form", Form.EMPTY.withProblem(refusal.detail())));
        }
    }

    private void remove(Context ctx) {
        var caller = Caller.of(ctx);
        media.removeAvatar(caller, caller.user());
        shell.seeOther(ctx, PROFILE, Text.of("social.picture-removed"));
    }
}
