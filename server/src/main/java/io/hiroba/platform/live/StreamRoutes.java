package io.hiroba.platform.live;

import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.live.LiveSource.Subscription;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The route of the stream of live events, as server-sent events. */
public final class StreamRoutes implements Routes {

    private final EventStreams streams;
    private final Function<Context, String> reader;
    private final List<LiveSource> sources;

    /** @param reader identifies the reader of a request; throws if nobody is signed in */
    public StreamRoutes(EventStreams streams, Function<Context, String> reader, List<LiveSource> sources) {
        this.streams = streams;
        this.reader = reader;
        this.sources = List.copyOf(sources);
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/stream", this::open);
    }

    private void open(Context ctx) {
        var name = reader.apply(ctx);
        var last = LivePositions.of(ctx);
        Map<String, Subscription> subscriptions = new LinkedHashMap<>();
        for (var source : sources) {
            source.subscribe(ctx, last.of(source))
                    .ifPresent(subscription -> subscriptions.put(source.name(), subscription));
        }
        streams.serve(ctx, name, stream -> new LiveStream(subscriptions, stream).begin());
    }
}
