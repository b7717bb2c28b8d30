package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.search.ChatModels.ModelChoice;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;

/** The API of the chat models, for admins. */
final class ChatModelRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/chat-models";

    private final ChatModels models;

    ChatModelRoutes(ChatModels models) {
        this.models = models;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.put(PATH + "/chosen", this::choose);
    }

    private record ModelView(String name, String provider, String model, String host, boolean chosen) {

        static ModelView of(ModelChoice choice) {
            var provider = choice.provider().name().toLowerCase(Locale.ROOT);
            return new ModelView(choice.name(), provider, choice.model(), choice.host(), choice.isChosen());
        }
    }

    private record ModelList(List<ModelView> items) {}

    private record Chosen(String name) {}

    private void list(Context ctx) {
        ctx.json(new ModelList(
                models.list(Caller.of(ctx)).stream().map(ModelView::of).toList()));
    }

    private void choose(Context ctx) {
        models.choose(Caller.of(ctx), Body.json(ctx, Chosen.class).name);
        list(ctx);
    }
}
