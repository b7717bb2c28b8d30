package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The API of resources of other programs. */
final class ResourceRoutes implements Routes {

    private static final String PATH = "/api/v1/inbox/resources/{type}/{externalId}";

    private final ApiResources resources;
    private final ApiTimes times;

    ResourceRoutes(ApiResources resources, ApiTimes times) {
        this.resources = resources;
        this.times = times;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.put(PATH, this::put);
        routes.get(PATH, this::get);
        routes.delete(PATH, this::delete);
    }

    private record PutRequest(
            String title,
            String namespace,
            @Nullable String url,
            @Nullable String state,
            @Nullable Instant updatedAt,
            @Nullable Long number,
            @Nullable String workItemType,
            @Nullable Boolean draft,
            @Nullable String sha,
            @Nullable String ref,
            ApiResourceSnapshot.@Nullable Target target) {

        ApiResourceSnapshot snapshot(ResourceType type) {
            return new ApiResourceSnapshot(
                    type,
                    title,
                    url,
                    state == null ? "opened" : state,
                    namespace,
                    number,
                    workItemType,
                    Boolean.TRUE.equals(draft),
                    sha,
                    ref,
                    target);
        }
    }

    private record NamespaceView(String id, String path) {}

    private record View(
            String id,
            String type,
            String externalId,
            String title,
            @Nullable String url,
            String state,
            NamespaceView namespace,
            Instant updatedAt) {

        static View of(ApiResources.Placed placed) {
            var resource = placed.resource();
            return new View(
                    resource.id().hex(),
                    resource.type().text(),
                    resource.externalId(),
                    resource.title(),
                    resource.url(),
                    resource.state(),
                    new NamespaceView(
                            placed.namespace().id().hex(), placed.namespace().path()),
                    resource.changedAt());
        }
    }

    /** @param newest whether the snapshot was applied, since no later one is mirrored */
    private record PutView(boolean newest, View resource) {}

    private void put(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, PutRequest.class);
        var outcome = resources.put(
                caller,
                ctx.pathParam("externalId"),
                request.snapshot(type(ctx)),
                times.past("updatedAt", request.updatedAt()));
        ctx.status(outcome.fresh() ? 201 : 200).json(new PutView(outcome.newest(), View.of(outcome.placed())));
    }

    private void get(Context ctx) {
        ctx.json(View.of(resources.get(Caller.of(ctx), type(ctx), ctx.pathParam("externalId"))));
    }

    private void delete(Context ctx) {
        resources.delete(Caller.of(ctx), type(ctx), ctx.pathParam("externalId"));
        ctx.status(204);
    }

    private static ResourceType type(Context ctx) {
        return ApiLookup.type(ctx.pathParam("type"));
    }
}
