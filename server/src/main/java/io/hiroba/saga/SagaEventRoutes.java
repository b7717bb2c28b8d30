package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaListener.SagaUpdate;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.regex.Pattern;

/** The event stream of one saga. The id of a message is how many attempts were sent. */
final class SagaEventRoutes implements Routes {

    private static final String LAST = "Last-Event-ID";
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,9}");

    private final SagaWatches watches;
    private final EventStreams streams;

    SagaEventRoutes(SagaWatches watches, EventStreams streams) {
        this.watches = watches;
        this.streams = streams;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/sagas/{id}/events", this::open);
    }

    private void open(Context ctx) {
        var caller = Caller.of(ctx);
        var id = SagaId.parse(ctx.pathParam("id"));
        // Checked before the stream begins: afterwards no error can be answered.
        int sent = watches.known(caller, id, last(ctx));
        var language = RequestLanguage.of(ctx);
        streams.serve(
                ctx,
                caller.user().hex(),
                stream -> watches.watch(caller, id, sent, new StreamWriter(stream, language))::close);
    }

    /** The number of attempts that the reader has seen: in the header when a browser reconnects, in the URL when a script does. */
    private static int last(Context ctx) {
        var header = ctx.header(LAST);
        var text = header == null || header.isEmpty() ? ctx.queryParam("lastEventId") : header;
        if (text == null || text.isEmpty()) {
            return 0;
        }
        if (!COUNT.matcher(text).matches()) {
            throw HttpProblem.invalid(LAST, Text.of("http.field.no-message"));
        }
        return Integer.parseInt(text);
    }

    /** Writes updates to a stream; attempts that do not fit are left to the next connection. */
    private static final class StreamWriter implements SagaListener {

        private final EventStream stream;
        private final Language language;
        private volatile boolean full;

        StreamWriter(EventStream stream, Language language) {
            this.stream = stream;
            this.language = language;
        }

        @Override
        public void changed(SagaUpdate update) {
            if (full) {
                return;
            }
            int count = update.sent() - update.attempts().size();
            // There may be more, which do not fit before these are written.
            full = update.attempts().size() >= SagaUpdateStore.MAX_ATTEMPTS;
            for (var attempt : update.attempts()) {
                count++;
                stream.send(Integer.toString(count), "step", Json.text(AttemptView.withStep(attempt, language)));
            }
            if (full) {
                stream.finish();
            } else {
                stream.send(Integer.toString(count), "saga", Json.text(SagaView.Summary.of(update.saga(), language)));
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
