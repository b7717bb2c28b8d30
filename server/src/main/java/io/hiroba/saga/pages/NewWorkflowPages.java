package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaProblem.DefinitionError;
import io.hiroba.saga.workflow.WorkflowFormat;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The page on which admins register a workflow. */
public final class NewWorkflowPages implements Routes {

    /** Not below /workflows, where every name may be that of a workflow. */
    static final String PATH = "/new-workflow";

    private static final String FIELD = "definition";

    private static final String EXAMPLE = """
            name: order
            totalTimeout: 5m
            steps:
              - name: reserve
                service: stock
                method: Stock.Reserve
                compensate: Stock.Release
                retry: {maxAttempts: 5, backoff: exponential, initialInterval: 1s}
              - name: approval
                waitForSignal: approve
              - parallel:
                  - {name: charge, service: bank, method: Bank.Charge, compensate: Bank.Refund}
                  - {name: label, service: parcels, method: Parcels.Label}
            """;

    private final Shell shell;
    private final Workflows workflows;

    NewWorkflowPages(Shell shell, Workflows workflows) {
        this.shell = shell;
        this.workflows = workflows;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::empty);
        routes.post("/workflows", this::create);
    }

    private void empty(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var text = Optional.ofNullable(ctx.queryParam("from"))
                .map(name -> workflows.one(caller, name, Optional.empty()).definition())
                .orElse(EXAMPLE);
        show(ctx, Form.filled(Map.of(FIELD, text)), List.of());
    }

    private void create(Context ctx) {
        var form = Form.of(ctx, FIELD);
        var text = form.value(FIELD).replace("\r\n", "\n");
        try {
            var registration = workflows.register(Caller.of(ctx), text, WorkflowFormat.ofText(text));
            var number = Integer.toString(registration.version().version());
            shell.seeOther(
                    ctx,
                    WorkflowPages.path(registration.version().name()),
                    registration.created()
                            ? Text.of("saga.register.registered", "version", number)
                            : Text.of("saga.register.identical", "version", number));
        } catch (Problem refusal) {
            if (refusal.kind() == Problem.Kind.FORBIDDEN) {
                throw refusal;
            }
            shell.refused(ctx, refusal, PATH);
            show(ctx, form.withProblem(refusal.detail()), Mistake.of(refusal, text));
        }
    }

    private void show(Context ctx, Form form, List<Mistake> mistakes) {
        shell.page(ctx, Text.of("saga.register.title"), "saga/register", Map.of("form", form, "mistakes", mistakes));
    }

    /**
     * An error in a line of a definition.
     *
     * @param place the line, and the column where all is in one line
     * @param source the line as it was typed
     */
    public record Mistake(int line, Text place, String path, Text reason, String source) {

        /** The mistakes that a refusal names, with the lines of {@code text} that they are in. */
        static List<Mistake> of(Problem refusal, String text) {
            if (!(refusal instanceof SagaProblem problem)) {
                return List.of();
            }
            var lines = text.lines().toList();
            return problem.definitionErrors().stream()
                    .map(error -> new Mistake(
                            error.line(),
                            place(error),
                            error.path(),
                            error.reason(),
                            error.line() <= lines.size() ? lines.get(error.line() - 1) : ""))
                    .toList();
        }

        private static Text place(DefinitionError error) {
            var line = Integer.toString(error.line());
            return error.column() == 0
                    ? Text.of("saga.register.line", "line", line)
                    : Text.of("saga.register.column", "line", line, "column", Integer.toString(error.column()));
        }
    }
}
