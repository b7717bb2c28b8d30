package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.call.Services;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The services that steps call, for admins. */
public final class ServicePages implements Routes {

    private static final int PAGE = 50;
    private static final int MOST = 100;
    private static final String PATH = "/sagas/services";
    private static final String LIST = "pages.services";

    private final Shell shell;
    private final Services services;
    private final Cursors cursors;

    public ServicePages(Shell shell, Services services, Cursors cursors) {
        this.shell = shell;
        this.services = services;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, Form.EMPTY));
        routes.post(PATH, this::put);
        routes.post(PATH + "/delete", this::delete);
    }

    private void put(Context ctx) {
        var form = Form.of(ctx, "name", "endpoint");
        try {
            var name = form.value("name").strip();
            boolean isNew =
                    services.put(Caller.of(ctx), name, form.value("endpoint").strip());
            shell.seeOther(ctx, PATH, name + (isNew ? " is registered." : " has moved."));
        } catch (Problem refusal) {
            showAgain(ctx, form, refusal);
        }
    }

    private void delete(Context ctx) {
        try {
            services.delete(Caller.of(ctx), String.valueOf(ctx.formParam("name")));
            shell.seeOther(ctx, PATH, "The service is deleted.");
        } catch (Problem refusal) {
            showAgain(ctx, Form.EMPTY, refusal);
        }
    }

    private void showAgain(Context ctx, Form form, Problem refusal) {
        if (refusal.kind() == Problem.Kind.FORBIDDEN) {
            throw refusal;
        }
        shell.refused(ctx, refusal, PATH);
        show(ctx, form.refused(refusal));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var request = PageRequest.of(ctx, PAGE, MOST);
        var after = cursors.read(LIST, request).map(cursor -> cursor.text(0)).orElse("");
        var found = services.list(caller, after, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var more = found.size() > shown.size()
                ? PATH + "?after="
                        + cursors.write(LIST, Cursor.of(shown.getLast().name()))
                : "";
        shell.page(
                ctx,
                "Services",
                "saga/services",
                Map.of(
                        "form",
                        form,
                        "services",
                        shown.stream().map(ServiceItem::of).toList(),
                        "more",
                        more));
    }
}
