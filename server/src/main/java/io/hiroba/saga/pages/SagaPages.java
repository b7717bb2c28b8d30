package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaDetails;
import io.hiroba.saga.SagaFilter;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaQueries;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The page of one saga: its timeline, and the actions of operators. */
final class SagaPages implements Routes {

    private static final int MAX_CHILDREN = 10;

    private final Shell shell;
    private final Readers readers;
    private final SagaQueries queries;
    private final Sagas sagas;
    private final SagaRoles roles;

    SagaPages(Shell shell, Readers readers, SagaQueries queries, Sagas sagas, SagaRoles roles) {
        this.shell = shell;
        this.readers = readers;
        this.queries = queries;
        this.sagas = sagas;
        this.roles = roles;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/sagas/{id}", ctx -> show(ctx, Form.EMPTY));
        routes.post("/sagas/{id}/cancel", ctx -> act(ctx, sagas::cancel, Text.of("saga.show.cancelling")));
        routes.post("/sagas/{id}/undo", ctx -> act(ctx, sagas::compensate, Text.of("saga.show.undoing")));
        routes.post("/sagas/{id}/retry", ctx -> act(ctx, sagas::retry, Text.of("saga.show.retrying")));
        routes.post("/sagas/{id}/signal", this::signal);
    }

    private void act(Context ctx, BiConsumer<Caller, SagaId> act, Text notice) {
        var id = id(ctx);
        try {
            act.accept(Caller.of(ctx), id);
            shell.seeOther(ctx, "/sagas/" + id, notice);
        } catch (Problem refusal) {
            showAgain(ctx, Form.EMPTY, refusal);
        }
    }

    private void signal(Context ctx) {
        var id = id(ctx);
        var form = Form.of(ctx, "name", "payload");
        try {
            sagas.signal(Caller.of(ctx), id, form.value("name"), JsonField.read("payload", form.value("payload")));
            shell.seeOther(ctx, "/sagas/" + id, Text.of("saga.show.signal-sent"));
        } catch (Problem refusal) {
            showAgain(ctx, form, refusal);
        }
    }

    /** Shows the saga with the refusal; without access to the saga, or without one, the error page is shown. */
    private void showAgain(Context ctx, Form form, Problem refusal) {
        if (refusal.kind() == Problem.Kind.FORBIDDEN || refusal.kind() == Problem.Kind.NOT_FOUND) {
            throw refusal;
        }
        shell.refused(ctx, refusal, "/sagas/" + id(ctx));
        show(ctx, form.refused(refusal));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var details = queries.details(caller, id(ctx));
        var reader = readers.reader(ctx);
        var sheet = SagaPageModel.of(details, roles.of(caller), reader);
        var family = FamilyModel.of(details, newestChildren(caller, details), reader);
        shell.page(
                ctx,
                Text.verbatim(sheet.workflow()),
                "saga/show",
                Map.of("saga", sheet, "form", form, "family", family));
    }

    private List<Saga> newestChildren(Caller caller, SagaDetails details) {
        if (details.family().children().isEmpty()) {
            return List.of();
        }
        var filter = new SagaFilter(null, null, null, false, details.saga().id());
        return queries.list(caller, filter, Optional.empty(), MAX_CHILDREN);
    }

    private static SagaId id(Context ctx) {
        return SagaId.parse(ctx.pathParam("id"));
    }
}
