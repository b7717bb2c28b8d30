package io.hiroba.platform.web;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** The route that saves the language of a reader: with the account where somebody is signed in, and in the browser. */
public final class LanguageRoutes implements Routes {

    private final Shell shell;
    private final Viewers viewers;

    public LanguageRoutes(Shell shell, Viewers viewers) {
        this.shell = shell;
        this.viewers = viewers;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/language", this::choose);
    }

    private void choose(Context ctx) {
        Language.of(ctx.formParam("language")).ifPresent(language -> {
            shell.cookies().saveLanguage(ctx, language);
            viewers.keepLanguage(ctx, language);
        });
        shell.seeOther(ctx, LocalPath.orElse(ctx.formParam("next"), "/"));
    }
}
