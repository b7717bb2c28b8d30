package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.call.Services.Service;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page on which admins register the services that steps call. */
public final class ServicePages implements Routes {

    static final String PATH = "/sagas/services";

    private final Shell shell;
    private final Services services;
    private final KeysetList<Service, String> list;

    ServicePages(Shell shell, Services services, Cursors cursors) {
        this.shell = shell;
        this.services = services;
        list = new KeysetList<>(
                cursors, "pages.services", 50, 100, cursor -> cursor.text(0), last -> Cursor.of(last.name()));
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
            shell.seeOther(
                    ctx,
                    PATH,
                    isNew
                            ? Text.of("saga.services.registered-notice", "name", name)
                            : Text.of("saga.services.updated-notice", "name", name));
        } catch (Problem refusal) {
            showAgain(ctx, form, refusal);
        }
    }

    private void delete(Context ctx) {
        try {
            services.delete(Caller.of(ctx), String.valueOf(ctx.formParam("name")));
            shell.seeOther(ctx, PATH, Text.of("saga.services.deleted-notice"));
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
        var page = list.page(ctx, (after, limit) -> services.list(caller, after.orElse(""), limit));
        var next = page.next();
        shell.page(
                ctx,
                Text.of("saga.services.title"),
                "saga/services",
                Map.of(
                        "form",
                        form,
                        "services",
                        page.items().stream().map(ServiceRow::of).toList(),
                        "more",
                        next == null ? "" : PATH + "?after=" + next));
    }

    /**
     * A row of the list of services.
     *
     * @param endpoint null for a local service
     * @param isFixed whether it cannot be changed here
     */
    public record ServiceRow(String name, @Nullable String endpoint, Text origin, boolean isFixed) {

        /** The page of its settings. */
        public String path() {
            return ServiceSecretPages.path(name);
        }

        static ServiceRow of(Service service) {
            var endpoint = service.endpoint();
            return new ServiceRow(
                    service.name(),
                    endpoint == null ? null : endpoint.toString(),
                    switch (service.origin()) {
                        case LOCAL -> Text.of("saga.services.built-in");
                        case CONFIGURED -> Text.of("saga.services.configured");
                        case REGISTERED -> Text.of("saga.services.registered");
                    },
                    service.origin() != Service.Origin.REGISTERED);
        }
    }

    /**
     * A service with what is set of it.
     *
     * @param credentials the sentence about those that are set, if any are
     */
    public record ServiceSettings(
            String name,
            String path,
            String endpoint,
            String origin,
            @Nullable String credentials,
            List<SigningKeyRow> keys) {

        public ServiceSettings {
            keys = List.copyOf(keys);
        }
    }

    /** A row of the list of signing keys. */
    public record SigningKeyRow(String id, String created) {}
}
