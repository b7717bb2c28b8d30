package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentMakerStore.Maker;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;

/** The API of the right to make agents, and of the models that agents of members may run on. */
final class AgentMakerRoutes implements Routes {

    private static final String MAKERS = "/api/v1/admin/agents/makers";
    private static final String MODELS = "/api/v1/admin/agents/models";

    private final AgentMakers makers;
    private final KeysetList<Maker, UserId> list;

    AgentMakerRoutes(AgentMakers makers, Cursors cursors) {
        this.makers = makers;
        this.list = new KeysetList<>(
                cursors,
                "agent-makers",
                cursor -> UserId.parse(cursor.text(0)),
                last -> Cursor.of(last.user().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(MAKERS, this::list);
        routes.put(MAKERS + "/{userId}", this::grant);
        routes.delete(MAKERS + "/{userId}", this::revoke);
        routes.get(MODELS, ctx -> ctx.json(new ModelList(makers.allowed(Caller.of(ctx)))));
        routes.put(MODELS + "/{name}", this::allow);
        routes.delete(MODELS + "/{name}", this::withdraw);
    }

    private record MakerView(String userId, String nickname, Instant grantedAt) {

        static MakerView of(Maker maker) {
            return new MakerView(maker.user().hex(), maker.nickname(), maker.grantedAt());
        }
    }

    private record ModelList(List<String> items) {}

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (after, limit) -> makers.list(caller, after, limit))
                .map(MakerView::of));
    }

    private void grant(Context ctx) {
        makers.grant(Caller.of(ctx), UserId.parse(ctx.pathParam("userId")));
        ctx.status(204);
    }

    private void revoke(Context ctx) {
        makers.revoke(Caller.of(ctx), UserId.parse(ctx.pathParam("userId")));
        ctx.status(204);
    }

    private void allow(Context ctx) {
        makers.allow(Caller.of(ctx), ctx.pathParam("name"));
        ctx.status(204);
    }

    private void withdraw(Context ctx) {
        makers.withdraw(Caller.of(ctx), ctx.pathParam("name"));
        ctx.status(204);
    }
}
