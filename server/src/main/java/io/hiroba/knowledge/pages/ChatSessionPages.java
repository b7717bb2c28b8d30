package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.sessions.ChatSession;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.knowledge.sessions.SessionArchiver;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.knowledge.sessions.SessionPosition;
import io.hiroba.knowledge.sessions.SessionRef;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pages of chat sessions: a list by last activity, one session, and its owner's actions. */
final class ChatSessionPages implements Routes {

    private static final Text CHANGED = Text.of("knowledge.session.changed");
    private static final String PATH = KnowledgePaths.SESSIONS + "/{key}";
    private static final int PAGE_SIZE = 30;
    private static final int MAX_PAGE_SIZE = 100;
    private static final int MESSAGES = 50;

    private final Shell shell;
    private final Readers readers;
    private final ChatSessions sessions;
    private final SessionArchiver archiver;
    private final KeysetList<ChatSession, SessionPosition> list;

    ChatSessionPages(Shell shell, Readers readers, ChatSessions sessions, SessionArchiver archiver, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.sessions = sessions;
        this.archiver = archiver;
        this.list = new KeysetList<>(
                cursors,
                "pages.knowledge-sessions",
                PAGE_SIZE,
                MAX_PAGE_SIZE,
                SessionPosition::of,
                last -> SessionPosition.of(last).cursor());
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(KnowledgePaths.SESSIONS, this::list);
        routes.get(PATH, this::show);
        routes.post(PATH + "/archive", this::archive);
        routes.post(PATH + "/visibility", this::share);
        routes.post(PATH + "/delete", this::delete);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var given = Optional.ofNullable(ctx.queryParam("owner")).orElse("");
        var filter = new ChatSessions.Filter(given.isEmpty() ? caller.user() : UserId.parse(given), null, null);
        var page = list.page(ctx, (after, limit) -> sessions.list(caller, filter, after, limit));
        var more = page.next() == null
                ? ""
                : KnowledgePaths.Url.of(KnowledgePaths.SESSIONS)
                        .with("owner", given)
                        .with("after", page.next())
                        .text();
        var reader = readers.reader(ctx);
        var items = page.items().stream()
                .map(session -> SessionItem.of(session, reader))
                .toList();
        shell.page(
                ctx, Text.of("knowledge.tabs.sessions"), "knowledge/sessions", Map.of("sessions", items, "more", more));
    }

    private void archive(Context ctx) {
        var ref = ref(ctx);
        var archiving = archiver.archive(sessions.own(Caller.of(ctx), ref).id());
        shell.seeOther(
                ctx,
                ref.path(),
                switch (archiving.outcome()) {
                    case ARCHIVED -> Text.of("knowledge.session.done-archived");
                    case SKIPPED -> Text.of("knowledge.session.done-skipped");
                    case NOT_DUE -> Text.of("knowledge.session.done-not-due");
                    case CONFLICT, FAILED -> CHANGED;
                });
    }

    private void share(Context ctx) {
        var caller = Caller.of(ctx);
        var ref = ref(ctx);
        boolean isPublic = Form.of(ctx, "public").isChecked("public");
        var session = sessions.get(caller, ref);
        try {
            // Of this version, so that a session deleted meanwhile is not created again.
            var draft = new ChatSessions.Draft(session.type(), isPublic, session.context());
            sessions.put(caller, ref, draft, session.version());
        } catch (KnowledgeProblem refusal) {
            if (refusal.kind() != Kind.CONFLICT) {
                throw refusal;
            }
            shell.seeOther(ctx, ref.path(), CHANGED);
            return;
        }
        shell.seeOther(
                ctx,
                ref.path(),
                isPublic ? Text.of("knowledge.session.now-public") : Text.of("knowledge.session.now-private"));
    }

    private void delete(Context ctx) {
        sessions.delete(Caller.of(ctx), ref(ctx), null);
        shell.seeOther(ctx, KnowledgePaths.SESSIONS, Text.of("knowledge.session.deleted"));
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var ref = ref(ctx);
        var transcript = sessions.read(caller, ref, before(ctx), MESSAGES);
        var details = SessionDetails.of(transcript, caller, readers.reader(ctx));
        shell.page(ctx, Text.verbatim(ref.key().text()), "knowledge/session", Map.of("session", details));
    }

    private static @Nullable Integer before(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("before"))
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .orElse(null);
    }

    /** Keys are unique per owner; the default is the reader. */
    private static SessionRef ref(Context ctx) {
        var owner = Optional.ofNullable(ctx.queryParam("owner")).orElse("");
        return new SessionRef(
                owner.isEmpty() ? Caller.of(ctx).user() : UserId.parse(owner), SessionKey.parse(ctx.pathParam("key")));
    }
}
