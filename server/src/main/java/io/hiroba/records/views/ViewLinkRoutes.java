package io.hiroba.records.views;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.Schema;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Links of views over HTTP. */
final class ViewLinkRoutes implements Routes {

    private static final String LINKS = "/api/v1/projects/{project}/schemas/{schema}/views/{view}/links";

    private final ViewLinks links;
    private final Views views;
    private final Projects projects;

    ViewLinkRoutes(ViewLinks links, Views views, Projects projects) {
        this.links = links;
        this.views = views;
        this.projects = projects;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(LINKS, FormerNames.noting(this::list));
        routes.post(LINKS, FormerNames.noting(this::create));
        routes.delete(LINKS + "/{link}", FormerNames.noting(this::revoke));
    }

    private record LinkBody(@Nullable Instant expiresAt) {}

    /** @param path of the page; null once it was told */
    private record LinkAnswer(
            String id,
            String sharedBy,
            Instant expiresAt,
            @Nullable String path) {

        static LinkAnswer of(ViewLinks.Link link, @Nullable String token) {
            return new LinkAnswer(
                    link.id().hex(),
                    link.sharer().hex(),
                    link.expiresAt(),
                    token == null ? null : "/shared/views/" + token);
        }
    }

    private record LinkList(List<LinkAnswer> items) {}

    private void list(Context ctx) {
        var access = access(ctx);
        ctx.json(new LinkList(links.list(access, schema(ctx, access), view(ctx)).stream()
                .map(each -> LinkAnswer.of(each, null))
                .toList()));
    }

    private void create(Context ctx) {
        var access = access(ctx);
        var body = Body.json(ctx, LinkBody.class);
        var created = links.create(access, schema(ctx, access), view(ctx), body.expiresAt());
        ctx.status(201).json(LinkAnswer.of(created.link(), created.token()));
    }

    private void revoke(Context ctx) {
        var access = access(ctx);
        links.revoke(access, schema(ctx, access), view(ctx), ViewId.parse(ctx.pathParam("link")));
        ctx.status(204);
    }

    private Schema schema(Context ctx, ProjectAccess access) {
        return views.schema(access, ctx.pathParam("schema"));
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }

    private static ViewId view(Context ctx) {
        return ViewId.parse(ctx.pathParam("view"));
    }
}
