package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.regex.Pattern;

/** What becomes of one saga, as server-sent events. The id of a message is how many attempts were told of. */
public final class SagaEventRoutes implements Routes {

    private static final String LAST = "Last-Event-ID";
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,9}");

    private final SagaWatches live;
    private final EventStreams streams;

    public SagaEventRoutes(SagaWatches live, EventStreams streams) {
        this.live = live;
        this.streams = streams;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/sagas/{id}/events", this::open);
    }

    private void open(Context ctx) {
        var caller = Caller.of(ctx);
        var id = SagaId.parse(ctx.pathParam("id"));
        // Asked before the stream begins: afterwards nothing can be refused.
        int told = live.known(caller, id, last(ctx));
        streams.serve(ctx, caller.user().hex(), stream -> live.watch(caller, id, told, new Teller(stream))::close);
    }

    /** How many attempts the reader knows: it names them in the header if its browser came back, in the address if its script did. */
    private static int last(Context ctx) {
        var header = ctx.header(LAST);
        var text = header == null || header.isEmpty() ? ctx.queryParam("lastEventId") : header;
        if (text == null || text.isEmpty()) {
            return 0;
        }
        if (!COUNT.matcher(text).matches()) {
            throw HttpProblem.invalid(LAST, "is not the id of a message of this stream");
        }
        return Integer.parseInt(text);
    }

    /** Writes what is told into a stream. What does not fit into one is left to the next, which begins after it. */
    private static final class Teller implements SagaListener {

        private final EventStream stream;
        private volatile boolean full;

        Teller(EventStream stream) {
            this.stream = stream;
        }

        @Override
        public void changed(SagaUpdate news) {
            if (full) {
                return;
            }
            int count = news.told() - news.attempts().size();
            // There may be more, for which a stream has no room before these are written.
            full = news.attempts().size() >= SagaUpdateStore.MOST;
            for (var attempt : news.attempts()) {
                count++;
                stream.send(Integer.toString(count), "step", Json.text(AttemptView.withStep(attempt)));
            }
            if (full) {
                stream.finish();
            } else {
                stream.send(Integer.toString(count), "saga", Json.text(news.saga()));
            }
        }

        @Override
        public void ended() {
            stream.finish();
        }

        @Override
        public boolean isFull() {
            return full;
        }
    }
}
