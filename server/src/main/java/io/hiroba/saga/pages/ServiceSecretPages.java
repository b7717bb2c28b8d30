package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.call.ServiceSecrets;
import io.hiroba.saga.call.ServiceSecrets.CredentialKind;
import io.hiroba.saga.call.ServiceSecrets.NewSigningKey;
import io.hiroba.saga.call.Services.ServiceLimits;
import io.hiroba.saga.pages.ServicePages.ServiceSettings;
import io.hiroba.saga.pages.ServicePages.SigningKeyRow;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The page of a service, on which admins set its credentials and signing keys. */
final class ServiceSecretPages implements Routes {

    private static final String PATH = ServicePages.PATH + "/{name}";
    private static final NewSigningKey NO_KEY = new NewSigningKey("", "");

    private final Shell shell;
    private final Readers readers;
    private final ServiceSecrets secrets;

    ServiceSecretPages(Shell shell, Readers readers, ServiceSecrets secrets) {
        this.shell = shell;
        this.readers = readers;
        this.secrets = secrets;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, Form.EMPTY, NO_KEY));
        routes.post(PATH + "/bearer", this::setBearer);
        routes.post(PATH + "/basic", this::setBasic);
        routes.post(PATH + "/remove-credentials", this::removeCredentials);
        routes.post(PATH + "/limits", this::setLimits);
        routes.post(PATH + "/signing-keys", this::addSigningKey);
        routes.post(PATH + "/signing-keys/{id}/revoke", this::revokeSigningKey);
    }

    static String path(String service) {
        return ServicePages.PATH + "/"
                + URLEncoder.encode(service, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String name(Context ctx) {
        return ctx.pathParam("name");
    }

    private void setBearer(Context ctx) {
        var form = Form.of(ctx, "bearer");
        change(
                ctx,
                form,
                () -> secrets.setBearer(
                        Caller.of(ctx), name(ctx), form.value("bearer").strip()),
                Text.of("saga.service.bearer-notice"));
    }

    private void setBasic(Context ctx) {
        var form = Form.of(ctx, "user", "password");
        change(
                ctx,
                form,
                () -> secrets.setBasic(
                        Caller.of(ctx), name(ctx), form.value("user").strip(), form.value("password")),
                Text.of("saga.service.basic-notice"));
    }

    private void setLimits(Context ctx) {
        var form = Form.of(ctx, "maxConcurrent", "ratePerSecond");
        change(
                ctx,
                form,
                () -> {
                    var concurrent = number("maxConcurrent", form);
                    var limits = new ServiceLimits(
                            concurrent == null ? null : concurrent.intValue(), number("ratePerSecond", form));
                    secrets.services().setLimits(Caller.of(ctx), name(ctx), limits);
                },
                Text.of("saga.limits.set-notice"));
    }

    private static @Nullable BigDecimal number(String field, Form form) {
        var typed = form.value(field).strip();
        if (typed.isEmpty()) {
            return null;
        }
        if (!typed.matches("[0-9]{1,6}(\\.[0-9]{1,3})?")) {
            throw SagaProblem.invalid(field, Text.of("saga.field.number"));
        }
        return new BigDecimal(typed);
    }

    private void removeCredentials(Context ctx) {
        change(
                ctx,
                Form.EMPTY,
                () -> secrets.removeCredentials(Caller.of(ctx), name(ctx)),
                Text.of("saga.service.removed-notice"));
    }

    private void addSigningKey(Context ctx) {
        try {
            var created = secrets.addSigningKey(Caller.of(ctx), name(ctx));
            ctx.header("HX-Replace-Url", path(name(ctx)));
            show(ctx, Form.EMPTY, created);
        } catch (Problem refusal) {
            showAgain(ctx, Form.EMPTY, refusal);
        }
    }

    private void revokeSigningKey(Context ctx) {
        change(
                ctx,
                Form.EMPTY,
                () -> secrets.revokeSigningKey(Caller.of(ctx), name(ctx), ctx.pathParam("id")),
                Text.of("saga.service.revoked-notice"));
    }

    private void change(Context ctx, Form form, Runnable change, Text notice) {
        try {
            change.run();
            shell.seeOther(ctx, path(name(ctx)), notice);
        } catch (Problem refusal) {
            showAgain(ctx, form, refusal);
        }
    }

    private void showAgain(Context ctx, Form form, Problem refusal) {
        shell.refusedForm(ctx, refusal, path(name(ctx)));
        show(ctx, form.refused(refusal).without("bearer", "password"), NO_KEY);
    }

    private void show(Context ctx, Form form, NewSigningKey created) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var service = secrets.services().get(caller, name(ctx));
        var endpoint = service.endpoint();
        if (endpoint == null) {
            throw SagaProblem.localService(service.name());
        }
        var kept = Objects.requireNonNull(secrets.list(List.of(service)).get(service.name()));
        var limits =
                secrets.services().limits(caller, List.of(service)).getOrDefault(service.name(), ServiceLimits.NONE);
        var filled = form.values().containsKey("maxConcurrent")
                ? form
                : new Form(
                        Map.of(
                                "maxConcurrent",
                                limits.maxConcurrent() == null
                                        ? ""
                                        : limits.maxConcurrent().toString(),
                                "ratePerSecond",
                                limits.ratePerSecond() == null
                                        ? ""
                                        : limits.ratePerSecond()
                                                .stripTrailingZeros()
                                                .toPlainString()),
                        Map.of(),
                        null);
        var reader = readers.reader(ctx);
        var credentials = kept.credentials();
        var set = credentials == null
                ? null
                : reader.text(
                        credentials.kind() == CredentialKind.BEARER
                                ? "saga.service.bearer-set"
                                : "saga.service.basic-set",
                        "date",
                        reader.date(credentials.setAt()));
        var keys = kept.signingKeys().stream()
                .map(key -> new SigningKeyRow(
                        key.id(), reader.text("saga.service.key-created", "date", reader.date(key.createdAt()))))
                .toList();
        shell.page(
                ctx,
                Text.verbatim(service.name()),
                "saga/service",
                Map.of(
                        "form",
                        form,
                        "service",
                        new ServiceSettings(
                                service.name(),
                                path(service.name()),
                                endpoint.toString(),
                                endpoint.origin(),
                                set,
                                keys),
                        "created",
                        created,
                        "limits",
                        filled));
    }
}
