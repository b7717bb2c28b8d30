package io.hiroba.accounts.pages;

import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.AiModels;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Profile;
import io.hiroba.accounts.UserUpdate;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings page of the profile. */
public final class ProfilePages implements Routes {

    private static final int MAX_MODELS = 200;
    private static final List<String> ZONES = ZoneId.getAvailableZoneIds().stream()
            .filter(zone -> zone.equals("UTC")
                    || zone.matches("(Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/.*"))
            .sorted()
            .toList();

    private final Shell shell;
    private final Users users;
    private final AiModels models;

    ProfilePages(Shell shell, Users users, AiModels models) {
        this.shell = shell;
        this.users = users;
        this.models = models;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/me", ctx -> shell.seeOther(ctx, "/users/" + Caller.of(ctx).user()));
        routes.get("/settings/profile", this::form);
        routes.post("/settings/profile", this::save);
        routes.post("/settings/profile/preview", this::preview);
    }

    private void form(Context ctx) {
        show(ctx, filled(users.profile(Caller.of(ctx).user())));
    }

    private void save(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "nickname", "introduction", "language", "timeZone", "aiModel", "aiPersonality");
        if (ctx.formParam("preview") != null) {
            show(ctx, form);
            return;
        }
        try {
            users.update(caller, caller.user(), update(users.profile(caller.user()), form));
            shell.seeOther(ctx, "/settings/profile", Text.of("accounts.profile-saved"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal));
        }
    }

    private void preview(Context ctx) {
        Caller.of(ctx);
        var form = Form.of(ctx, "introduction");
        shell.fragment(ctx, "accounts/preview", Map.of("html", SafeHtml.ofMarkdown(form.value("introduction"))));
    }

    private static UserUpdate update(Profile before, Form form) {
        var zone = form.value("timeZone");
        var language = form.value("language");
        return new UserUpdate(
                Nickname.parse(form.value("nickname")),
                // Forms send a line break as two characters, which would count twice.
                form.value("introduction").replace("\r\n", "\n"),
                before.user().avatar(),
                orNull(form.value("aiModel")),
                orNull(form.value("aiPersonality").replace("\r\n", "\n")),
                zone.isEmpty() ? null : UserUpdate.timeZone(zone),
                null,
                null,
                language.isEmpty() ? null : UserUpdate.language(language));
    }

    private static Form filled(Profile profile) {
        var user = profile.user();
        var zone = profile.timeZone();
        var language = profile.language();
        return Form.filled(Map.of(
                "nickname", user.nickname().value(),
                "introduction", profile.introduction(),
                "language", language == null ? "" : language.code(),
                "timeZone", zone == null ? "" : zone.getId(),
                "aiModel", orEmpty(user.aiModel()),
                "aiPersonality", orEmpty(profile.aiPersonality())));
    }

    private void show(Context ctx, Form form) {
        var names = models.list("", MAX_MODELS).stream().map(AiModel::name).toList();
        var preview = SafeHtml.ofMarkdown(form.value("introduction"));
        shell.page(
                ctx,
                Text.of("accounts.profile"),
                "accounts/settings-profile",
                Map.of(
                        "profile",
                        new ProfileForm(
                                form,
                                preview,
                                with(ZONES, form.value("timeZone")),
                                with(names, form.value("aiModel")))));
    }

    /** The choices and the one that is set already, which would otherwise be replaced by the first when saved. */
    private static List<String> with(List<String> choices, String chosen) {
        if (chosen.isEmpty() || choices.contains(chosen)) {
            return choices;
        }
        return Stream.concat(Stream.of(chosen), choices.stream()).toList();
    }

    private static @Nullable String orNull(String text) {
        return text.isBlank() ? null : text;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The profile form with its options. */
    public record ProfileForm(Form form, SafeHtml preview, List<String> zones, List<String> models) {

        public ProfileForm {
            zones = List.copyOf(zones);
            models = List.copyOf(models);
        }
    }
}
