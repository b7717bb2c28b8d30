package io.hiroba.activity.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.activity.ActivityProblem;
import io.hiroba.activity.Kind;
import io.hiroba.activity.digest.Digest;
import io.hiroba.activity.settings.Preferences;
import io.hiroba.activity.settings.Settings;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** What somebody wants to be told: which kinds, by mail or not, and what they have muted and follow. */
public final class NotificationSettingsPages implements Routes {

    private final Shell shell;
    private final Readers readers;
    private final Settings settings;
    private final ReaderDays days;
    private final NotedLists lists;

    public NotificationSettingsPages(
            Shell shell, Readers readers, Settings settings, ReaderDays days, NotedLists lists) {
        this.shell = shell;
        this.readers = readers;
        this.settings = settings;
        this.days = days;
        this.lists = lists;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ActivityNav.SETTINGS, this::show);
        routes.post(ActivityNav.SETTINGS, this::save);
    }

    private void show(Context ctx) {
        var user = Caller.of(ctx).user();
        var preferences = settings.of(user);
        var now = days.of(ctx);
        var next = settings.nextDigest(user).map(now::moment).orElse(null);
        var email = readers.profile(ctx).orElseThrow().user().email().value();
        var view = new NotificationSettings(preferences, email, next, now.zone().getId());
        shell.page(ctx, "Notifications", "activity/settings", Map.of("settings", view, "lists", lists.of(ctx)));
    }

    private void save(Context ctx) {
        var caller = Caller.of(ctx);
        var told = ctx.formParams("told");
        var muted = Arrays.stream(Kind.values())
                .filter(kind -> !told.contains(kind.text()))
                .collect(Collectors.toSet());
        var digest = Digest.find(String.valueOf(ctx.formParam("digest")))
                .orElseThrow(() -> ActivityProblem.invalid("digest", "must be off, daily or weekly"));
        settings.replace(caller, new Preferences(muted, digest));
        shell.seeOther(ctx, ActivityNav.SETTINGS, "Your settings are saved.");
    }
}
