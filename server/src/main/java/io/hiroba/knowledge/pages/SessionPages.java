package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.sessions.Archiver;
import io.hiroba.knowledge.sessions.SessionDraft;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.knowledge.sessions.SessionRef;
import io.hiroba.knowledge.sessions.Sessions;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One conversation, and what its owner does with it. */
public final class SessionPages implements Routes {

    private static final String PATH = Paths.SESSIONS + "/{key}";
    private static final int MESSAGES = 50;

    private final Shell shell;
    private final Times times;
    private final Sessions sessions;
    private final Archiver archiver;

    public SessionPages(Shell shell, Times times, Sessions sessions, Archiver archiver) {
        this.shell = shell;
        this.times = times;
        this.sessions = sessions;
        this.archiver = archiver;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::show);
        routes.post(PATH + "/archive", this::archive);
        routes.post(PATH + "/visibility", this::share);
        routes.post(PATH + "/delete", this::delete);
    }

    private void archive(Context ctx) {
        var ref = ref(ctx);
        var archiving = archiver.archive(sessions.own(Caller.of(ctx), ref).id());
        shell.seeOther(
                ctx,
                ref.path(),
                switch (archiving.outcome()) {
                    case ARCHIVED -> "It is knowledge now.";
                    case SKIPPED -> "It says too little to be worth keeping.";
                    case NOT_DUE -> "All of it is knowledge already.";
                    case CONFLICT, FAILED -> "Somebody is speaking just now. Try again in a moment.";
                });
    }

    private void share(Context ctx) {
        var caller = Caller.of(ctx);
        var ref = ref(ctx);
        boolean isPublic = Form.of(ctx, "public").isChecked("public");
        var session = sessions.get(caller, ref);
        try {
            // Of this version, so that one which was deleted meanwhile is not made anew.
            var draft = new SessionDraft(session.type(), isPublic, session.place());
            sessions.put(caller, ref, draft, session.version());
        } catch (KnowledgeProblem refusal) {
            if (refusal.kind() != Kind.CONFLICT) {
                throw refusal;
            }
            shell.seeOther(ctx, ref.path(), "Somebody is speaking just now. Try again in a moment.");
            return;
        }
        shell.seeOther(ctx, ref.path(), isPublic ? "Everybody here may read it now." : "It is private now.");
    }

    private void delete(Context ctx) {
        sessions.delete(Caller.of(ctx), ref(ctx), null);
        shell.seeOther(ctx, Paths.SESSIONS, "The conversation is deleted.");
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var ref = ref(ctx);
        var transcript = sessions.read(caller, ref, before(ctx), MESSAGES);
        var sheet = SessionSheet.of(transcript, caller, times.of(ctx));
        shell.page(ctx, ref.key().text(), "knowledge/session", Map.of("sheet", sheet));
    }

    private static @Nullable Integer before(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("before"))
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .orElse(null);
    }

    /** Keys are each owner's own; without one named it is the reader's. */
    private static SessionRef ref(Context ctx) {
        var owner = Optional.ofNullable(ctx.queryParam("owner")).orElse("");
        return new SessionRef(
                owner.isEmpty() ? Caller.of(ctx).user() : UserId.parse(owner), SessionKey.parse(ctx.pathParam("key")));
    }
}
