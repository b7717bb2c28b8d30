package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.search.KnowledgeSearchRoutes.FilterRequest;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.Passage.Piece;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The API of questions: answered at once, or streamed as server-sent events. */
final class AskRoutes implements Routes {

    /** The time for an answer; a repeated request after it calls the model again. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(10);

    private final QuestionAnswering ask;
    private final EventStreams streams;
    private final Idempotency idempotency;

    AskRoutes(QuestionAnswering ask, EventStreams streams, Idempotency idempotency) {
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

        QuestionAnswering.Question toQuestion(Language language) {
            return new QuestionAnswering.Question(
                    question,
                    sessionKey == null ? null : SessionKey.parse(sessionKey),
                    filters == null ? SearchFilters.NONE : filters.filters(),
                    language);
        }
    }

    private record ReplyView(
            String mode,
            String answer,
            List<CitationView> citations,
            @Nullable String why) {

        static ReplyView of(Reply reply, Language language) {
            return new ReplyView(
                    reply.mode().name().toLowerCase(Locale.ROOT),
                    reply.text(),
                    CitationView.of(reply.citations(), language),
                    said(reply.why(), language));
        }
    }

    private void ask(Context ctx) {
        var caller = Caller.of(ctx);
        var language = RequestLanguage.of(ctx);
        var question = Body.json(ctx, Asked.class).toQuestion(language);
        var accept = ctx.header("Accept");
        if (accept != null && accept.contains("text/event-stream")) {
            var pending = ask.begin(caller, question);
            // Its own stream name, so that a question does not close another window of the same user.
            streams.serve(ctx, "ask:" + caller.user().hex(), stream -> stream(pending, stream, language));
        } else {
            idempotency.runOutside(
                    ctx,
                    caller.user().hex(),
                    ctx.bodyAsBytes(),
                    REQUEST_TIMEOUT,
                    () -> Answer.ok(ReplyView.of(ask.begin(caller, question).answer(words -> {}), language)));
        }
    }

    /** Answers on another thread; the answer is cancelled when the client disconnects. */
    private static Runnable stream(PendingAnswer pending, EventStream stream, Language language) {
        new AnswerStream(stream, language).begin(events -> {
            events.passages(pending.chunks());
            var reply = pending.answer(events::delta);
            if (reply.mode() == Reply.Mode.MODEL && reply.why() != null) {
                events.problem("knowledge.answer-broke-off", reply.why().in(language));
            }
            events.done(ReplyView.of(reply, language));
        });
        return pending::cancel;
    }

    /** Why an answer is incomplete, in the API. */
    static @Nullable String said(@Nullable Text why, Language language) {
        return why == null ? null : why.in(language);
    }

    /** A passage of an answer in the API. */
    record CitationView(
            int number,
            String chunkId,
            String sourceId,
            String sourceTitle,
            String url,
            String label,
            List<Piece> snippet) {

        static List<CitationView> of(List<Citation> citations, Language language) {
            return citations.stream().map(citation -> of(citation, language)).toList();
        }

        private static CitationView of(Citation citation, Language language) {
            var passage = citation.hit();
            return new CitationView(
                    citation.number(),
                    passage.chunk().hex(),
                    passage.source().hex(),
                    passage.sourceTitle(),
                    passage.url(),
                    ChunkLocation.text(passage.label()).in(language),
                    passage.snippet());
        }
    }
}
