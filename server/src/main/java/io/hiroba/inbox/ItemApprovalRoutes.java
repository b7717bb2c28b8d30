package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API of the approvals that the caller's items ask for. */
final class ItemApprovalRoutes implements Routes {

    private static final String ONE = "/api/v1/inbox/{id}";

    private final ItemApprovals approvals;

    ItemApprovalRoutes(ItemApprovals approvals) {
        this.approvals = approvals;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ONE + "/approval", ctx -> ctx.json(approvals.info(Caller.of(ctx), id(ctx))));
        routes.post(ONE + "/approve", ctx -> decide(ctx, true));
        routes.post(ONE + "/reject", ctx -> decide(ctx, false));
    }

    private record DecisionBody(
            @Nullable String comment, @Nullable JsonNode answers) {

        static final DecisionBody EMPTY = new DecisionBody(null, null);
    }

    private void decide(Context ctx, boolean approve) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        var body = ctx.bodyAsBytes().length == 0 ? DecisionBody.EMPTY : Body.json(ctx, DecisionBody.class);
        var comment = body.comment() == null ? "" : body.comment();
        var answers = body.answers() == null ? JsonMapper.shared().createObjectNode() : body.answers();
        ctx.json(ItemView.of(approvals.decide(caller, id, approve, comment, answers)));
    }

    private static ItemId id(Context ctx) {
        return ItemId.parse(ctx.pathParam("id"));
    }
}
