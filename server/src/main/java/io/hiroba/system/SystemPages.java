package io.hiroba.system;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.config.EffectiveSetting;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.List;
import java.util.Map;

/** The admin pages of the system's state and of the settings in effect. */
final class SystemPages implements Routes {

    private static final String ADMINISTRATION = "/admin";
    static final String STATE = "/admin/system";
    static final String SETTINGS = "/admin/settings";

    private final Shell shell;
    private final SystemState state;
    private final List<EffectiveSetting> settings;

    SystemPages(Shell shell, SystemState state, List<EffectiveSetting> settings) {
        this.shell = shell;
        this.state = state;
        this.settings = settings;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ADMINISTRATION, ctx -> ctx.redirect(STATE, HttpStatus.SEE_OTHER));
        routes.get(STATE, this::state);
        routes.get(SETTINGS, this::settings);
    }

    private void state(Context ctx) {
        var checks = state.look(Caller.of(ctx));
        var concerns = checks.stream().filter(check -> !check.isFine()).toList();
        shell.page(
                ctx,
                Text.of("system.title"),
                "system/state",
                Map.of("checks", checks, "concerns", concerns, "unscheduled", unscheduled(checks)));
    }

    /** Backups that nobody has asked for: no fault, but not everything is well either. */
    static List<SystemCheck> unscheduled(List<SystemCheck> checks) {
        return checks.stream()
                .filter(check -> check.value().key().equals("backup.check-none"))
                .toList();
    }

    private void settings(Context ctx) {
        Caller.of(ctx).requireAdmin();
        var changed = settings.stream().filter(setting -> !setting.isDefault()).toList();
        shell.page(
                ctx,
                Text.of("system.settings"),
                "system/settings",
                Map.of(
                        "changed",
                        changed,
                        "unchanged",
                        settings.stream().filter(EffectiveSetting::isDefault).toList()));
    }
}
