package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.workflow.WorkflowFormat;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The page on which admins register a workflow. */
public final class NewWorkflowPages implements Routes {

    /** Not below /workflows, where every name may be that of a workflow. */
    private static final String PATH = "/new-workflow";

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
            var version = registration.version();
            shell.seeOther(
                    ctx,
                    WorkflowPages.path(version.name()),
                    registration.created()
                            ? "Version %d registered.".formatted(version.version())
                            : "Version %d is identical. Nothing changed.".formatted(version.version()));
        } catch (Problem refusal) {
            if (refusal.kind() == Problem.Kind.FORBIDDEN) {
                throw refusal;
            }
            shell.refused(ctx, refusal, PATH);
            show(ctx, form.withProblem(refusal.detail().toString()), DefinitionError.of(refusal, text));
        }
    }

    private void show(Context ctx, Form form, List<DefinitionError> mistakes) {
        shell.page(ctx, "New workflow", "saga/register", Map.of("form", form, "mistakes", mistakes));
    }

    /**
     * An error in a line of a definition.
     *
     * @param source the line as it was typed
     */
    public record DefinitionError(int line, String path, String reason, String source) {

        private static final Pattern MESSAGE = Pattern.compile("line (\\d{1,9})(?:: |, )(.*)", Pattern.DOTALL);

        /** The mistakes that a refusal names, with the lines of {@code text} that they are in. */
        static List<DefinitionError> of(Problem refusal, String text) {
            var lines = text.lines().toList();
            return refusal.fields().stream()
                    .map(fault -> {
                        var message = MESSAGE.matcher(fault.message().toString());
                        if (!message.matches()) {
                            return new DefinitionError(0, fault.field(), fault.message().toString(), "");
                        }
                        int line = Integer.parseInt(message.group(1));
                        var source = line >= 1 && line <= lines.size() ? lines.get(line - 1) : "";
                        return new DefinitionError(line, fault.field(), message.group(2), source);
                    })
                    .toList();
        }
    }
}
