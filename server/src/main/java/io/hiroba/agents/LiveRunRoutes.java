package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** The event stream of one run of an agent. */
final class LiveRunRoutes implements Routes {

    private final LiveRuns live;
    private final EventStreams streams;

    LiveRunRoutes(LiveRuns live, EventStreams streams) {
        this.live = live;
        this.streams = streams;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/agents/{id}/runs/{run}/stream", this::open);
    }

    private void open(Context ctx) {
        var caller = Caller.of(ctx).within(TokenScope.POSTS_READ);
        // Looked up before the stream begins: afterwards no error can be answered.
        var run = live.find(caller, UserId.parse(ctx.pathParam("id")), Ids.parse(ctx.pathParam("run")))
                .run();
        streams.serve(ctx, caller.user().hex(), stream -> live.watch(caller, run, stream));
    }
}
