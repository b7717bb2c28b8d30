package io.hiroba.activity.settings;

import io.hiroba.accounts.Caller;
import io.hiroba.activity.ActivityProblem;
import io.hiroba.activity.Kind;
import io.hiroba.activity.digest.Digest;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Collectors;

/** Muted kinds and the digest over HTTP. */
public final class SettingsRoutes implements Routes {

    private final Settings settings;

    public SettingsRoutes(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/notifications/settings", this::show);
        routes.put("/api/v1/notifications/settings", this::replace);
    }

    /** The same there and back. */
    private record PreferencesView(List<String> mutedKinds, String digest) {

        static PreferencesView of(Preferences preferences) {
            return new PreferencesView(
                    preferences.mutedKinds().stream().sorted().map(Kind::text).toList(),
                    preferences.digest().text());
        }

        Preferences preferences() {
            return new Preferences(
                    mutedKinds.stream().map(PreferencesView::kind).collect(Collectors.toSet()),
                    Digest.find(digest)
                            .orElseThrow(() -> ActivityProblem.invalid("digest", "must be off, daily or weekly")));
        }

        private static Kind kind(String text) {
            return Kind.find(text)
                    .orElseThrow(() -> ActivityProblem.invalid(
                            "mutedKinds", "must hold follow, like, reply or mention and nothing else"));
        }
    }

    private void show(Context ctx) {
        ctx.json(PreferencesView.of(settings.of(Caller.of(ctx).user())));
    }

    private void replace(Context ctx) {
        var caller = Caller.of(ctx);
        var wanted = Body.json(ctx, PreferencesView.class).preferences();
        ctx.json(PreferencesView.of(settings.replace(caller, wanted)));
    }
}
