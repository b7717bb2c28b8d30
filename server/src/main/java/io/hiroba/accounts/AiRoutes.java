package io.hiroba.accounts;

import io.hiroba.accounts.AiActions.AiAction;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The API of AI models and of agents' logs of their actions. */
final class AiRoutes implements Routes {

    private final AiModels models;
    private final AiActions actions;
    private final Idempotency idempotency;
    private final KeysetList<AiModel, String> modelList;
    private final KeysetList<AiAction, Long> actionList;

    AiRoutes(AiModels models, AiActions actions, Idempotency idempotency, Cursors cursors) {
        this.models = models;
        this.actions = actions;
        this.idempotency = idempotency;
        this.modelList =
                new KeysetList<>(cursors, "ai-models", cursor -> cursor.text(0), model -> Cursor.of(model.name()));
        this.actionList = new KeysetList<>(
                cursors, "ai-actions", cursor -> cursor.number(0), action -> Cursor.of(Long.toString(action.id())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/ai-models", this::listModels);
        routes.get("/api/v1/ai-models/{name}", this::getModel);
        routes.put("/api/v1/ai-models/{name}", this::saveModel);
        routes.delete("/api/v1/ai-models/{name}", this::deleteModel);
        routes.post("/api/v1/me/actions", this::appendAction);
        routes.get("/api/v1/me/actions", this::listActions);
        routes.get("/api/v1/me/actions/{id}", this::getAction);
    }

    private void listModels(Context ctx) {
        Caller.of(ctx);
        ctx.json(modelList.page(ctx, (after, limit) -> models.list(after.orElse(""), limit)));
    }

    private void getModel(Context ctx) {
        Caller.of(ctx);
        ctx.json(models.get(ctx.pathParam("name")));
    }

    private record ModelBody(
            BigDecimal inputCost,
            BigDecimal outputCost,
            @Nullable String description) {}

    private void saveModel(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var body = Body.json(ctx, ModelBody.class);
        var description = body.description();
        var model = new AiModel(
                ctx.pathParam("name"), body.inputCost(), body.outputCost(), description == null ? "" : description);
        if (models.save(caller, model)) {
            ctx.status(201).header("Location", "/api/v1/ai-models/" + model.name());
        }
        ctx.json(model);
    }

    private void deleteModel(Context ctx) {
        models.delete(Caller.of(ctx), ctx.pathParam("name"));
        ctx.status(204);
    }

    private void appendAction(Context ctx) {
        var caller = Caller.of(ctx);
        var payload = Body.json(ctx, ObjectNode.class);
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var view = ActionView.of(actions.append(tx, caller, payload));
            return Answer.created("/api/v1/me/actions/" + view.id(), view);
        });
    }

    private void listActions(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(actionList
                .page(ctx, (before, limit) -> actions.list(caller, before, limit))
                .map(ActionView::of));
    }

    private void getAction(Context ctx) {
        ctx.json(ActionView.of(actions.get(Caller.of(ctx), Ids.parse(ctx.pathParam("id")))));
    }

    private record ActionView(String id, Instant at, JsonNode payload) {

        static ActionView of(AiAction action) {
            return new ActionView(
                    Ids.hex(action.id()), action.at(), Json.mapper().readTree(action.payload()));
        }
    }
}
