package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.search.ChatModels;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The admin page that chooses the chat model. */
final class ChatModelPages implements Routes {

    private static final String PATH = "/admin/chat-models";

    private final Shell shell;
    private final ChatModels models;

    ChatModelPages(Shell shell, ChatModels models) {
        this.shell = shell;
        this.models = models;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH, this::choose);
    }

    private void list(Context ctx) {
        shell.page(
                ctx,
                Text.of("knowledge.models.title"),
                "knowledge/chat-models",
                Map.of("models", models.list(Caller.of(ctx))));
    }

    private void choose(Context ctx) {
        var name = Form.of(ctx, "name").value("name");
        models.choose(Caller.of(ctx), name);
        shell.seeOther(ctx, PATH, Text.of("knowledge.models.chosen", "name", name));
    }
}
