package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.AiModels;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.util.Map;

/** The admin pages of the AI models that agents run on. */
final class AiModelPages implements Routes {

    static final String PATH = "/admin/ai-models";

    private static final String ONE = PATH + "/{name}";
    private static final int MAX_SHOWN = 200;

    private final Shell shell;
    private final AiModels models;
    private final AiUsageViews usage;

    AiModelPages(Shell shell, AiModels models, AiUsageViews usage) {
        this.usage = usage;
        this.shell = shell;
        this.models = models;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> list(ctx, Form.EMPTY));
        routes.post(PATH, this::create);
        routes.get(ONE, this::edit);
        routes.post(ONE, this::save);
        routes.post(ONE + "/delete", this::delete);
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var form = form(ctx);
        try {
            var model = model(form.value("name").strip(), form);
            if (models.find(model.name()).isPresent()) {
                throw AccountsProblem.invalid("name", Text.of("accounts.field.model-exists"));
            }
            models.save(caller, model);
            shell.seeOther(ctx, PATH, Text.of("accounts.models-saved", "name", model.name()));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            list(ctx, form.refused(refusal));
        }
    }

    private void edit(Context ctx) {
        Caller.of(ctx).requireAdmin();
        var model = models.get(ctx.pathParam("name"));
        show(
                ctx,
                model.name(),
                Form.filled(Map.of(
                        "inputCost", model.inputCost().toPlainString(),
                        "outputCost", model.outputCost().toPlainString(),
                        "description", model.description())));
    }

    private void save(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var name = models.get(ctx.pathParam("name")).name();
        var form = form(ctx);
        try {
            models.save(caller, model(name, form));
            shell.seeOther(ctx, PATH, Text.of("accounts.models-saved", "name", name));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, name, form.refused(refusal));
        }
    }

    private void delete(Context ctx) {
        var name = ctx.pathParam("name");
        models.delete(Caller.of(ctx), name);
        shell.seeOther(ctx, PATH, Text.of("accounts.models-deleted", "name", name));
    }

    private static Form form(Context ctx) {
        return Form.of(ctx, "name", "inputCost", "outputCost", "description");
    }

    private static AiModel model(String name, Form form) {
        return new AiModel(
                name,
                cost("inputCost", form),
                cost("outputCost", form),
                form.value("description").replace("\r\n", "\n").strip());
    }

    private static BigDecimal cost(String field, Form form) {
        try {
            return new BigDecimal(form.value(field).strip());
        } catch (NumberFormatException e) {
            throw AccountsProblem.invalid(field, Text.of("accounts.field.cost"));
        }
    }

    private void list(Context ctx, Form form) {
        Caller.of(ctx).requireAdmin();
        var all = models.list("", MAX_SHOWN);
        var agents = models.agents(all.stream().map(AiModel::name).toList());
        shell.page(
                ctx,
                Text.of("accounts.models"),
                "accounts/admin-models",
                Map.of("form", form, "models", all, "agents", agents, "usage", usage.view(ctx)));
    }

    private void show(Context ctx, String name, Form form) {
        shell.page(ctx, name, "accounts/admin-model", Map.of("form", form, "name", name));
    }
}
