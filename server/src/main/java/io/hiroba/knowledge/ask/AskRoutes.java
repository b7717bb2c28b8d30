package io.hiroba.knowledge.ask;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.search.Filters;
import io.hiroba.knowledge.search.SearchRoutes.FilterRequest;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions over HTTP: answered at once, or word for word as server-sent events. */
public final class AskRoutes implements Routes {

    private static final Logger log = LoggerFactory.getLogger(AskRoutes.class);

    /** What an answer takes at most; a repeat of a question that has taken longer asks again. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Ask ask;
    private final EventStreams streams;
    private final Idempotency idempotency;

    public AskRoutes(Ask ask, EventStreams streams, Idempotency idempotency) {
        this.ask = ask;
        this.streams = streams;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/knowledge/ask", this::ask);
    }

    private record Asked(
            String question,
            @Nullable String sessionKey,
            @Nullable FilterRequest filters) {

        Question toQuestion() {
            return new Question(
                    question,
                    sessionKey == null ? null : SessionKey.parse(sessionKey),
                    filters == null ? Filters.NONE : filters.filters());
        }
    }

    private record ReplyView(
            String mode,
            String answer,
            List<CitationView> citations,
            @Nullable String why) {

        static ReplyView of(Reply reply) {
            return new ReplyView(
                    reply.mode().name().toLowerCase(Locale.ROOT),
                    reply.text(),
                    reply.citations().stream().map(CitationView::of).toList(),
                    reply.why());
        }
    }

    private void ask(Context ctx) {
        var caller = Caller.of(ctx);
        var question = Body.json(ctx, Asked.class).toQuestion();
        var accept = ctx.header("Accept");
        if (accept != null && accept.contains("text/event-stream")) {
            var asking = ask.begin(caller, question);
            // Under a name of their own: a question pushes out no window of its asker's.
            streams.serve(ctx, "ask:" + caller.user().hex(), stream -> tell(asking, stream));
        } else {
            idempotency.runOutside(
                    ctx,
                    caller.user().hex(),
                    ctx.bodyAsBytes(),
                    LONGEST,
                    () -> Answer.ok(ReplyView.of(ask.begin(caller, question).answer(words -> {}))));
        }
    }

    /** Answers beside the thread that writes; a reader who is gone ends the answer. */
    private static Runnable tell(Asking asking, EventStream stream) {
        Thread.ofVirtual().name("ask").start(() -> new Telling(stream).run(asking));
        return asking::cancel;
    }

    /** One answer on its way. */
    private static final class Telling {

        private final EventStream stream;
        private final AtomicInteger count = new AtomicInteger();

        Telling(EventStream stream) {
            this.stream = stream;
        }

        void run(Asking asking) {
            try {
                send(
                        "passages",
                        asking.passages().stream().map(CitationView::of).toList());
                var reply = asking.answer(words -> send("delta", Map.of("text", words)));
                if (reply.mode() == Reply.Mode.MODEL && reply.why() != null) {
                    send("problem", Map.of("code", "knowledge.answer-broke-off", "detail", reply.why()));
                }
                send("done", ReplyView.of(reply));
            } catch (Problem e) {
                send("problem", Map.of("code", e.code(), "detail", e.detail()));
            } catch (RuntimeException e) {
                log.warn("A question could not be answered", e);
                send("problem", Map.of("code", "http.internal", "detail", "Something went wrong on our side."));
            } finally {
                stream.finish();
            }
        }

        private void send(String event, Object data) {
            stream.send(Integer.toString(count.incrementAndGet()), event, Json.text(data));
        }
    }
}
