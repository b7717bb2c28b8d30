package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.AgentMemory.RememberedThread;
import io.hiroba.knowledge.sessions.ChatMessage;
import io.hiroba.knowledge.sessions.MessageRole;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.PostId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The pages on which people see, correct and delete what an agent remembers of them. */
public final class AgentMemoryPages implements Routes {

    private static final String PATH = AgentPages.PATH + "/{id}/memory";
    private static final String THREAD = PATH + "/{post}";
    private static final int PAGE_SIZE = 30;
    private static final int MESSAGES = 50;

    private final Shell shell;
    private final Readers readers;
    private final AgentMemory memory;
    private final KeysetList<RememberedThread, PostId> list;

    AgentMemoryPages(Shell shell, Readers readers, AgentMemory memory, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.memory = memory;
        this.list = new KeysetList<>(
                cursors,
                "pages.agent-memory",
                PAGE_SIZE,
                PAGE_SIZE,
                cursor -> PostId.parse(cursor.text(0)),
                last -> Cursor.of(last.root().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH + "/forget", this::forgetAll);
        routes.get(THREAD, ctx -> show(ctx, Form.EMPTY));
        routes.post(THREAD + "/forget", this::forget);
        routes.post(THREAD + "/messages/{index}", this::correct);
    }

    private static String path(UserId agent) {
        return AgentPages.PATH + "/" + agent + "/memory";
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var agent = AgentMemoryRoutes.agent(ctx);
        var reader = readers.reader(ctx);
        var page = list.page(ctx, (before, limit) -> memory.list(caller, agent, before, limit));
        var next = page.next();
        shell.page(
                ctx,
                Text.of("agents.memory"),
                "agents/memory",
                Map.of(
                        "agent",
                        memory.name(agent),
                        "path",
                        path(agent),
                        "threads",
                        page.items().stream()
                                .map(thread -> MemoryThread.of(agent, thread, reader))
                                .toList(),
                        "more",
                        next == null ? "" : path(agent) + "?after=" + next));
    }

    private void show(Context ctx, Form form) {
        var agent = AgentMemoryRoutes.agent(ctx);
        var reader = readers.reader(ctx);
        var before = AgentMemoryRoutes.number("before", ctx.queryParam("before"));
        var transcript = memory.read(Caller.of(ctx), agent, AgentMemoryRoutes.root(ctx), before, MESSAGES);
        var thread = MemoryThread.of(agent, RememberedThread.of(transcript.session()), reader);
        var older = transcript.olderBefore();
        shell.page(
                ctx,
                Text.of("agents.memory"),
                "agents/memory-thread",
                Map.of(
                        "agent",
                        memory.name(agent),
                        "thread",
                        thread,
                        "messages",
                        transcript.messages().stream()
                                .map(message -> MemoryMessage.of(message, reader))
                                .toList(),
                        "older",
                        older == null ? "" : thread.path() + "?before=" + older,
                        "form",
                        form));
    }

    private void correct(Context ctx) {
        var form = Form.of(ctx, "content", "version");
        var agent = AgentMemoryRoutes.agent(ctx);
        var root = AgentMemoryRoutes.root(ctx);
        try {
            var version = AgentMemoryRoutes.number("version", form.value("version"));
            var content = form.value("content").replace("\r\n", "\n");
            memory.correct(Caller.of(ctx), agent, root, AgentMemoryRoutes.index(ctx), content, version);
            shell.seeOther(ctx, path(agent) + "/" + root, Text.of("agents.memory-corrected"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal);
            show(ctx, form.refused(refusal).with("index", ctx.pathParam("index")));
        }
    }

    private void forget(Context ctx) {
        var agent = AgentMemoryRoutes.agent(ctx);
        memory.forget(Caller.of(ctx), agent, AgentMemoryRoutes.root(ctx));
        shell.seeOther(ctx, path(agent), Text.of("agents.memory-forgotten"));
    }

    private void forgetAll(Context ctx) {
        var agent = AgentMemoryRoutes.agent(ctx);
        memory.forgetAll(Caller.of(ctx), agent);
        shell.seeOther(ctx, path(agent), Text.of("agents.memory-forgotten"));
    }

    /** The view of a thread that an agent remembers. */
    public record MemoryThread(
            String path, String post, String about, String ago, String exact, boolean isKnowledge, int version) {

        static MemoryThread of(UserId agent, RememberedThread thread, Reader reader) {
            var session = thread.session();
            return new MemoryThread(
                    AgentMemoryPages.path(agent) + "/" + thread.root(),
                    "/posts/" + thread.root(),
                    reader.text("agents.memory-messages", "count", session.messageCount()),
                    reader.ago(session.lastActiveAt()),
                    reader.exact(session.lastActiveAt()),
                    session.archived() > 0,
                    session.version());
        }
    }

    /** The view of a message that an agent remembers. */
    public record MemoryMessage(int index, boolean isMine, String content, String ago, String exact) {

        static MemoryMessage of(ChatMessage message, Reader reader) {
            return new MemoryMessage(
                    message.index(),
                    message.role() == MessageRole.USER,
                    message.content(),
                    reader.ago(message.sentAt()),
                    reader.exact(message.sentAt()));
        }
    }
}
