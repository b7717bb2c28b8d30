package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.search.AskRoutes.CitationView;
import io.hiroba.knowledge.search.Conversation.Exchange;
import io.hiroba.knowledge.search.Conversations.FoundConversation;
import io.hiroba.knowledge.search.KnowledgeSearchRoutes.FilterRequest;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.search.SearchWords;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API of conversations: answers come at once, or are streamed as server-sent events. */
final class ConversationRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/conversations";
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(10);

    private final Conversations conversations;
    private final EventStreams streams;
    private final Idempotency idempotency;
    private final KeysetList<FoundConversation, Conversation.Position> list;

    ConversationRoutes(Conversations conversations, EventStreams streams, Idempotency idempotency, Cursors cursors) {
        this.conversations = conversations;
        this.streams = streams;
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "knowledge-conversations",
                Conversation.Position::of,
                last -> Conversation.Position.of(last.conversation()).cursor());
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH, this::create);
        routes.get(PATH + "/{id}", this::get);
        routes.patch(PATH + "/{id}", this::change);
        routes.delete(PATH + "/{id}", this::delete);
        routes.post(PATH + "/{id}/messages", this::ask);
        routes.post(PATH + "/{id}/regenerate", this::regenerate);
        routes.post(PATH + "/{id}/stop", this::stop);
    }

    private record Created(@Nullable String title, @Nullable FilterRequest filters) {}

    private record Changed(@Nullable String title, @Nullable Boolean shared) {}

    private record Asked(String question) {}

    private record ConversationView(
            String id,
            String ownedBy,
            String title,
            boolean shared,
            FilterRequest filters,
            int exchangeCount,
            Instant createdAt,
            Instant lastActiveAt) {

        static ConversationView of(Conversation conversation) {
            return new ConversationView(
                    conversation.id().hex(),
                    conversation.owner().hex(),
                    conversation.title(),
                    conversation.isShared(),
                    FilterRequest.of(conversation.filters()),
                    conversation.exchangeCount(),
                    conversation.createdAt(),
                    conversation.lastActiveAt());
        }
    }

    private record ExchangeView(
            int index,
            String question,
            Instant askedAt,
            String state,
            String mode,
            String answer,
            @Nullable String why,
            List<CitationView> citations,
            List<Integer> hiddenCitations) {

        static ExchangeView of(Exchange exchange, Language language) {
            return new ExchangeView(
                    exchange.index(),
                    exchange.question(),
                    exchange.askedAt(),
                    exchange.state().name().toLowerCase(Locale.ROOT),
                    exchange.isGenerated() ? "model" : "passages",
                    exchange.answer(),
                    AskRoutes.said(exchange.why(), language),
                    CitationView.of(exchange.citations(), language),
                    exchange.hidden());
        }
    }

    private record OpenedView(ConversationView conversation, List<ExchangeView> exchanges) {}

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var words =
                SearchWords.ofFolded(Optional.ofNullable(ctx.queryParam("q")).orElse(""));
        ctx.json(list.page(ctx, (after, limit) -> conversations.find(caller, words, after, limit))
                .map(found -> ConversationView.of(found.conversation())));
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var body = Body.json(ctx, Created.class);
        var filters = body.filters == null ? SearchFilters.NONE : body.filters.filters();
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var made = conversations.create(tx, caller, body.title, null, filters);
            return Answer.created(PATH + "/" + made.id().hex(), ConversationView.of(made));
        });
    }

    private void get(Context ctx) {
        var language = RequestLanguage.of(ctx);
        var opened = conversations.open(Caller.of(ctx), id(ctx), language);
        ctx.json(new OpenedView(
                ConversationView.of(opened.conversation()),
                opened.exchanges().stream()
                        .map(exchange -> ExchangeView.of(exchange, language))
                        .toList()));
    }

    private void change(Context ctx) {
        var body = Body.json(ctx, Changed.class);
        ctx.json(ConversationView.of(conversations.change(Caller.of(ctx), id(ctx), body.title, body.shared)));
    }

    private void delete(Context ctx) {
        conversations.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void ask(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        var question = Body.json(ctx, Asked.class).question;
        answer(ctx, caller, () -> conversations.ask(caller, id, question, RequestLanguage.of(ctx)));
    }

    private void regenerate(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        answer(ctx, caller, () -> conversations.regenerate(caller, id, RequestLanguage.of(ctx)));
    }

    private void stop(Context ctx) {
        conversations.stop(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void answer(Context ctx, Caller caller, Supplier<PendingExchange> asking) {
        var language = RequestLanguage.of(ctx);
        var accept = ctx.header("Accept");
        if (accept != null && accept.contains("text/event-stream")) {
            var pending = asking.get();
            streams.serve(ctx, "ask:" + caller.user().hex(), stream -> stream(pending, stream, language));
        } else {
            idempotency.runOutside(
                    ctx,
                    caller.user().hex(),
                    ctx.bodyAsBytes(),
                    REQUEST_TIMEOUT,
                    () -> Answer.ok(ExchangeView.of(asking.get().answer(found -> {}, words -> {}), language)));
        }
    }

    private static ConversationId id(Context ctx) {
        return ConversationId.parse(ctx.pathParam("id"));
    }

    /** Answers on another thread; a reader who disconnects stops it. */
    private static Runnable stream(PendingExchange pending, EventStream stream, Language language) {
        new AnswerStream(stream, language)
                .begin(events ->
                        events.done(ExchangeView.of(pending.answer(events::passages, events::delta), language)));
        return pending::stop;
    }
}
