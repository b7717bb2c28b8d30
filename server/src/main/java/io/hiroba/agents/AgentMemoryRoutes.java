package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentMemory.RememberedThread;
import io.hiroba.knowledge.sessions.ChatMessage;
import io.hiroba.knowledge.sessions.ChatSession;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.social.PostId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of what an agent remembers of the caller. */
final class AgentMemoryRoutes implements Routes {

    private static final String PATH = "/api/v1/agents/{id}/memory";
    private static final String THREAD = PATH + "/{post}";
    private static final int DEFAULT_MESSAGES = 50;
    private static final int MAX_MESSAGES = 100;

    private final AgentMemory memory;
    private final KeysetList<RememberedThread, PostId> list;

    AgentMemoryRoutes(AgentMemory memory, Cursors cursors) {
        this.memory = memory;
        this.list = new KeysetList<>(
                cursors,
                "agent-memory",
                cursor -> PostId.parse(cursor.text(0)),
                last -> Cursor.of(last.root().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.delete(PATH, this::forgetAll);
        routes.get(THREAD, this::read);
        routes.delete(THREAD, this::forget);
        routes.patch(THREAD + "/messages/{index}", this::correct);
    }

    static UserId agent(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }

    static PostId root(Context ctx) {
        return PostId.parse(ctx.pathParam("post"));
    }

    /** A whole number of the request; null without one. */
    static @Nullable Integer number(String field, @Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw HttpProblem.invalid(field, Text.of("agents.field.number"));
        }
        return Integer.valueOf(text);
    }

    static int index(Context ctx) {
        var index = number("index", ctx.pathParam("index"));
        return index == null ? 0 : index;
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var agent = agent(ctx);
        ctx.json(list.page(ctx, (before, limit) -> memory.list(caller, agent, before, limit))
                .map(ThreadView::of));
    }

    private void read(Context ctx) {
        int limit = PageRequest.of(ctx, DEFAULT_MESSAGES, MAX_MESSAGES).limit();
        var before = number("before", ctx.queryParam("before"));
        var transcript = memory.read(Caller.of(ctx), agent(ctx), root(ctx), before, limit);
        ctx.json(new TranscriptView(
                ThreadView.of(RememberedThread.of(transcript.session())),
                transcript.messages().stream().map(MessageView::of).toList(),
                transcript.olderBefore()));
    }

    private record CorrectionBody(String content, @Nullable Integer version) {}

    private void correct(Context ctx) {
        var body = Body.json(ctx, CorrectionBody.class);
        var session = memory.correct(Caller.of(ctx), agent(ctx), root(ctx), index(ctx), body.content(), body.version());
        ctx.json(ThreadView.of(RememberedThread.of(session)));
    }

    private void forget(Context ctx) {
        memory.forget(Caller.of(ctx), agent(ctx), root(ctx));
        ctx.status(204);
    }

    private void forgetAll(Context ctx) {
        memory.forgetAll(Caller.of(ctx), agent(ctx));
        ctx.status(204);
    }

    /** @param archived how many of the messages are knowledge of the caller's as well */
    private record ThreadView(String postId, int version, int messageCount, int archived, Instant lastActiveAt) {

        static ThreadView of(RememberedThread thread) {
            ChatSession session = thread.session();
            return new ThreadView(
                    thread.root().hex(),
                    session.version(),
                    session.messageCount(),
                    session.archived(),
                    session.lastActiveAt());
        }
    }

    private record MessageView(int index, String role, String content, Instant sentAt) {

        static MessageView of(ChatMessage message) {
            return new MessageView(message.index(), message.role().text(), message.content(), message.sentAt());
        }
    }

    private record TranscriptView(
            ThreadView thread,
            List<MessageView> messages,
            @Nullable Integer olderBefore) {}
}
