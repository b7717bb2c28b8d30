package io.hiroba.social.live;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.Routes;
import io.hiroba.social.PostId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** New posts as server-sent events, for pages. */
public final class LiveRoutes implements Routes {

    private final LivePosts live;
    private final EventStreams streams;

    public LiveRoutes(LivePosts live, EventStreams streams) {
        this.live = live;
        this.streams = streams;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/live/posts", this::posts);
    }

    private void posts(Context ctx) {
        var reader = Caller.of(ctx).user();
        var list = LiveList.parse(ctx.queryParam("list"));
        var after = after(ctx);
        streams.serve(
                ctx,
                reader.hex(),
                stream -> live.listen(reader, list, after, post -> stream.send(post.hex(), "post", post.hex())));
    }

    /** The last post that the reader was told of, or else the newest that it had seen before. */
    private static PostId after(Context ctx) {
        var last = ctx.header("Last-Event-ID");
        var seen = last == null || last.isEmpty() ? ctx.queryParam("after") : last;
        return seen == null || seen.isEmpty() ? new PostId(0) : PostId.parse(seen);
    }
}
