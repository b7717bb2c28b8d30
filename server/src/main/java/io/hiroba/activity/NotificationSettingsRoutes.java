package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Collectors;

/** The API of notification preferences. */
final class NotificationSettingsRoutes implements Routes {

    private final NotificationSettings settings;

    NotificationSettingsRoutes(NotificationSettings settings) {
        this.settings = settings;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/notifications/settings", this::show);
        routes.put("/api/v1/notifications/settings", this::replace);
    }

    /** The JSON of requests and answers. */
    private record PreferencesView(List<String> mutedKinds, String digest) {

        static PreferencesView of(Preferences preferences) {
            return new PreferencesView(
                    preferences.mutedKinds().stream()
                            .sorted()
                            .map(NotificationKind::text)
                            .toList(),
                    preferences.digest().text());
        }

        Preferences preferences() {
            return new Preferences(
                    mutedKinds.stream().map(PreferencesView::kind).collect(Collectors.toSet()),
                    DigestFrequency.find(digest)
                            .orElseThrow(() -> ActivityProblem.invalid("digest", Text.of("activity.field.digest"))));
        }

        private static NotificationKind kind(String text) {
            return NotificationKind.find(text)
                    .orElseThrow(() -> ActivityProblem.invalid("mutedKinds", Text.of("activity.field.muted-kinds")));
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
