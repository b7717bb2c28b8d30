package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The API of post rules. */
final class PostRuleRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/post-rules";

    private final PostRules rules;

    PostRuleRoutes(PostRules rules) {
        this.rules = rules;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH, this::add);
        routes.delete(PATH + "/{id}", this::delete);
    }

    private record RuleView(
            String id, @Nullable String ownedBy, @Nullable String tag, boolean filling, Instant createdAt) {

        static RuleView of(PostRule rule) {
            return new RuleView(
                    rule.id().hex(),
                    rule.owner() == null ? null : rule.owner().hex(),
                    rule.tag(),
                    rule.isFilling(),
                    rule.createdAt());
        }
    }

    private void list(Context ctx) {
        ctx.json(
                new Page<>(rules.list(Caller.of(ctx)).stream().map(RuleView::of).toList(), null));
    }

    private record RuleBody(@Nullable String tag, @Nullable Boolean everyone) {}

    /** Repeating it changes nothing, so it needs no key. */
    private void add(Context ctx) {
        var body = Body.json(ctx, RuleBody.class);
        var added = rules.add(Caller.of(ctx), body.tag(), Boolean.TRUE.equals(body.everyone()));
        var view = RuleView.of(added.rule());
        if (added.isNew()) {
            ctx.status(201).header("Location", PATH + "/" + view.id());
        }
        ctx.json(view);
    }

    private void delete(Context ctx) {
        rules.delete(Caller.of(ctx), PostRuleId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }
}
