package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sessions over HTTP. */
public final class SessionRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/sessions";
    private static final String LIST = "knowledge-sessions";
    private static final int DEFAULT_LIMIT = 20;
    private static final int DEFAULT_MESSAGES = 50;
    private static final int MAX_LIMIT = 100;

    private final Sessions sessions;
    private final Archiver archiver;
    private final Idempotency idempotency;
    private final Cursors cursors;

    public SessionRoutes(Sessions sessions, Archiver archiver, Idempotency idempotency, Cursors cursors) {
        this.sessions = sessions;
        this.archiver = archiver;
        this.idempotency = idempotency;
        this.cursors = cursors;
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
        var draft = Body.json(ctx, SessionRequests.Put.class).draft(ref.key());
        var put = sessions.put(caller, ref, draft, SessionRequests.expected(ctx));
        ctx.status(put.created() ? 201 : 200)
                .header("ETag", put.session().tag())
                .json(SessionView.of(put.session()));
    }

    private void get(Context ctx) {
        var caller = Caller.of(ctx);
        int limit = PageRequest.of(ctx, DEFAULT_MESSAGES, MAX_LIMIT).limit();
        var transcript = sessions.read(caller, SessionRequests.ref(ctx, caller), SessionRequests.before(ctx), limit);
        var tag = transcript.session().tag();
        ctx.header("ETag", tag);
        if (SessionRequests.isKnown(ctx, tag)) {
            ctx.status(304);
        } else {
            ctx.json(SessionView.WithMessages.of(transcript));
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

    /** @param why what kept the session from becoming knowledge, if anything did */
    private record ArchivedView(
            Archiver.Outcome outcome, @Nullable String why, List<String> sourceIds, SessionView session) {}

    private void archive(Context ctx) {
        var caller = Caller.of(ctx);
        var ref = SessionRequests.ref(ctx, caller);
        var archiving = archiver.archive(sessions.own(caller, ref).id());
        var session = sessions.get(caller, ref);
        var why = switch (archiving.outcome()) {
            case ARCHIVED -> null;
            case SKIPPED -> "It says too little: under 30 characters, or nothing by a user.";
            case NOT_DUE -> "Nothing was said since it was archived.";
            case CONFLICT, FAILED -> throw KnowledgeProblem.versionConflict(session.version());
        };
        ctx.json(new ArchivedView(
                archiving.outcome(),
                why,
                archiving.sources().stream().map(SourceId::hex).toList(),
                SessionView.of(session)));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var type = ctx.queryParam("type");
        var status = ctx.queryParam("status");
        var filter = new SessionFilter(
                SessionRequests.owner(ctx, caller),
                type == null ? null : SessionType.parse(type),
                status == null ? null : SessionStatus.parse(status));
        var after = cursors.read(LIST, request).map(cursor -> SessionPosition.of(cursor.number(0), cursor.number(1)));
        var found = sessions.list(caller, filter, after, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), this::cursor).map(SessionView::of));
    }

    private String cursor(Session last) {
        var position = SessionPosition.of(last);
        return cursors.write(
                LIST,
                Cursor.of(
                        Long.toString(position.micros()),
                        Long.toString(position.id().value())));
    }
}
