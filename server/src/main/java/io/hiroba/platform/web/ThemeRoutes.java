package io.hiroba.platform.web;

import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** The route that saves the theme of a reader. */
public final class ThemeRoutes implements Routes {

    private final Shell shell;

    public ThemeRoutes(Shell shell) {
        this.shell = shell;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/theme", this::choose);
    }

    private void choose(Context ctx) {
        shell.cookies().saveTheme(ctx, Theme.parse(ctx.formParam("theme")));
        shell.seeOther(ctx, LocalPath.orElse(ctx.formParam("next"), "/"));
    }
}
