package io.hiroba.system;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.ProgramVersion;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.config.EffectiveSetting;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The API of the versions, for everybody, and of the system's state and settings, for admins. */
final class SystemRoutes implements Routes {

    private final SystemState state;
    private final List<EffectiveSetting> settings;

    SystemRoutes(SystemState state, List<EffectiveSetting> settings) {
        this.state = state;
        this.settings = settings;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/version", this::version);
        routes.get("/api/v1/system", this::state);
        routes.get("/api/v1/system/settings", this::settings);
    }

    private record VersionView(String version, @Nullable String commit, String java, String postgresql) {}

    private void version(Context ctx) {
        Caller.of(ctx);
        ctx.json(new VersionView(
                ProgramVersion.CURRENT,
                ProgramVersion.COMMIT.isEmpty() ? null : ProgramVersion.COMMIT,
                Runtime.version().toString(),
                state.databaseVersion()));
    }

    private record StateView(boolean fine, List<CheckView> checks) {}

    private record CheckView(
            String group,
            String code,
            String label,
            String value,
            boolean fine,
            @Nullable String advice) {

        static CheckView of(SystemCheck check, Language language) {
            var advice = check.advice();
            return new CheckView(
                    check.group().code(),
                    check.code(),
                    check.label().in(language),
                    check.value().in(language),
                    check.isFine(),
                    advice == null ? null : advice.in(language));
        }
    }

    private void state(Context ctx) {
        var checks = state.look(Caller.of(ctx));
        var language = RequestLanguage.of(ctx);
        ctx.json(new StateView(
                checks.stream().allMatch(SystemCheck::isFine),
                checks.stream().map(check -> CheckView.of(check, language)).toList()));
    }

    private record SettingView(String key, String value, String origin, boolean isSecret, String meaning) {}

    private void settings(Context ctx) {
        Caller.of(ctx).requireAdmin();
        ctx.json(Map.of(
                "items",
                settings.stream()
                        .map(setting -> new SettingView(
                                setting.key(),
                                setting.value(),
                                setting.origin(),
                                setting.isSecret(),
                                setting.meaning()))
                        .toList()));
    }
}
