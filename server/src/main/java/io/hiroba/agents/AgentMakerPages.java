package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;

/** The page on which admins say which members may make agents, and on which models. */
public final class AgentMakerPages implements Routes {

    static final String PATH = "/admin/agents/makers";

    private static final int PAGE_SIZE = 50;

    private final Shell shell;
    private final Readers readers;
    private final AgentMakers makers;
    private final KeysetList<AgentMakerStore.Maker, UserId> list;

    AgentMakerPages(Shell shell, Readers readers, AgentMakers makers, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.makers = makers;
        this.list = new KeysetList<>(
                cursors,
                "pages.agent-makers",
                PAGE_SIZE,
                PAGE_SIZE,
                cursor -> UserId.parse(cursor.text(0)),
                last -> Cursor.of(last.user().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, Form.EMPTY));
        routes.post(PATH, this::grant);
        routes.post(PATH + "/{userId}/revoke", this::revoke);
        routes.post(PATH + "/models", this::setModels);
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        var page = list.page(ctx, (after, limit) -> makers.list(caller, after, limit));
        var next = page.next();
        var allowed = makers.allowed(caller);
        shell.page(
                ctx,
                Text.of("agents.makers"),
                "agents/makers",
                Map.of(
                        "form",
                        form,
                        "makers",
                        page.items().stream()
                                .map(maker -> new MakerCard(
                                        maker.user().hex(), maker.nickname(), reader.date(maker.grantedAt())))
                                .toList(),
                        "more",
                        next == null ? "" : PATH + "?after=" + next,
                        "models",
                        names().stream()
                                .map(name -> new ModelChoice(name, allowed.contains(name)))
                                .toList()));
    }

    /** The librarian is allowed always. */
    private List<String> names() {
        return makers.names().stream()
                .filter(name -> !name.equals(Agent.LIBRARIAN))
                .toList();
    }

    private void grant(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "user");
        try {
            makers.grant(caller, makers.person(caller, form.value("user")));
            shell.seeOther(ctx, PATH, Text.of("agents.maker-added"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, PATH);
            show(ctx, form.refused(refusal));
        }
    }

    private void revoke(Context ctx) {
        makers.revoke(Caller.of(ctx), UserId.parse(ctx.pathParam("userId")));
        shell.seeOther(ctx, PATH, Text.of("agents.maker-removed"));
    }

    /** Allows the models that are ticked, and no others of those that the page shows. */
    private void setModels(Context ctx) {
        var caller = Caller.of(ctx);
        var ticked = ctx.formParams("model");
        var allowed = makers.allowed(caller);
        for (var name : names()) {
            if (ticked.contains(name) && !allowed.contains(name)) {
                makers.allow(caller, name);
            } else if (!ticked.contains(name) && allowed.contains(name)) {
                makers.withdraw(caller, name);
            }
        }
        shell.seeOther(ctx, PATH, Text.of("agents.saved"));
    }

    /** The view of a member who may make agents. */
    public record MakerCard(String id, String nickname, String since) {}

    /** A model that may be allowed. */
    public record ModelChoice(String name, boolean isAllowed) {}
}
