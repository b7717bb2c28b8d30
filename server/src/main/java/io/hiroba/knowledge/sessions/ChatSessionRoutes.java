package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The API of sessions. */
final class ChatSessionRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/sessions";
    private static final int DEFAULT_MESSAGES = 50;
    private static final int MAX_MESSAGES = 100;

    private final ChatSessions sessions;
    private final SessionArchiver archiver;
    private final Idempotency idempotency;
    private final KeysetList<ChatSession, SessionPosition> list;

    ChatSessionRoutes(ChatSessions sessions, SessionArchiver archiver, Idempotency idempotency, Cursors cursors) {
        this.sessions = sessions;
        this.archiver = archiver;
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "knowledge-sessions",
                SessionPosition::of,
                last -> SessionPosition.of(last).cursor());
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.put(PATH + "/{key}", this::put);
        routes.get(PATH + "/{key}", this::get);
        routes.delete(PATH + "/{key}", this::delete);
        routes.post(PATH + "/{key}/messages", this::append);
        routes.post(PATH + "/{key}/archive", this::archive);
    }

    private void put(Context ctx) {
        var caller = Caller.of(ctx);
        var ref = SessionRequests.ref(ctx, caller);
        var draft = Body.json(ctx, SessionRequests.SessionBody.class).draft(ref.key());
        var put = sessions.put(caller, ref, draft, SessionRequests.expected(ctx));
        ctx.status(put.created() ? 201 : 200)
                .header("ETag", put.session().tag())
                .json(ChatSessionView.of(put.session()));
    }

    private void get(Context ctx) {
        var caller = Caller.of(ctx);
        int limit = PageRequest.of(ctx, DEFAULT_MESSAGES, MAX_MESSAGES).limit();
        var transcript = sessions.read(caller, SessionRequests.ref(ctx, caller), SessionRequests.before(ctx), limit);
        var tag = transcript.session().tag();
        ctx.header("ETag", tag);
        if (SessionRequests.isKnown(ctx, tag)) {
            ctx.status(304);
        } else {
            ctx.json(ChatSessionView.WithMessages.of(transcript));
        }
    }

    private void delete(Context ctx) {
        var caller = Caller.of(ctx);
        sessions.delete(caller, SessionRequests.ref(ctx, caller), SessionRequests.expected(ctx));
        ctx.status(204);
    }

    private void append(Context ctx) {
        var caller = Caller.of(ctx);
        var ref = SessionRequests.ref(ctx, caller);
        var body = SessionRequests.bytes(ctx);
        var messages = SessionRequests.messages(ctx, body);
        var expected = SessionRequests.expected(ctx);
        idempotency.run(ctx, caller.user().hex(), body, tx -> {
            var appended = sessions.append(tx, caller, ref, messages, expected);
            return new Answer(201, Map.of("ETag", "\"" + appended.version() + "\""), Json.text(appended));
        });
    }

    /** @param why the reason why the session was not archived, if so */
    private record ArchivedView(
            SessionArchiver.ArchiveOutcome outcome,
            @Nullable String why,
            List<String> sourceIds,
            ChatSessionView session) {}

    private void archive(Context ctx) {
        var caller = Caller.of(ctx);
        var ref = SessionRequests.ref(ctx, caller);
        var archiving = archiver.archive(sessions.own(caller, ref).id());
        var session = sessions.get(caller, ref);
        var why = switch (archiving.outcome()) {
            case ARCHIVED -> null;
            case SKIPPED -> Text.of("knowledge.session.why-skipped");
            case NOT_DUE -> Text.of("knowledge.session.why-not-due");
            case CONFLICT, FAILED -> throw KnowledgeProblem.versionConflict(session.version());
        };
        ctx.json(new ArchivedView(
                archiving.outcome(),
                why == null ? null : why.in(RequestLanguage.of(ctx)),
                archiving.sources().stream().map(SourceId::hex).toList(),
                ChatSessionView.of(session)));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var type = ctx.queryParam("type");
        var status = ctx.queryParam("status");
        var filter = new ChatSessions.Filter(
                SessionRequests.owner(ctx, caller),
                type == null ? null : SessionType.parse(type),
                status == null ? null : SessionStatus.parse(status));
        ctx.json(list.page(ctx, (after, limit) -> sessions.list(caller, filter, after, limit))
                .map(ChatSessionView::of));
    }
}
