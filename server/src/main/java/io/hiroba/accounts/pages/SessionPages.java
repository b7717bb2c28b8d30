package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.signin.Session;
import io.hiroba.accounts.signin.Sessions;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Where somebody is logged in, and how to end that. */
public final class SessionPages implements Routes {

    private static final int MOST = 100;

    private final Shell shell;
    private final Readers readers;
    private final Sessions sessions;
    private final InstantSource clock;

    public SessionPages(Shell shell, Readers readers, Sessions sessions, InstantSource clock) {
        this.shell = shell;
        this.readers = readers;
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings/sessions", this::list);
        routes.post("/settings/sessions/{id}/revoke", this::revoke);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var when = new ReaderClock(clock.instant(), readers.zone(ctx));
        var views = sessions.list(caller, Optional.empty(), MOST).stream()
                .map(session -> view(session, caller, when))
                .toList();
        shell.page(ctx, "Sessions", "accounts/settings-sessions", Map.of("sessions", views));
    }

    private void revoke(Context ctx) {
        sessions.revoke(Caller.of(ctx), SessionId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, "/settings/sessions", "The session is ended.");
    }

    private static SessionView view(Session session, Caller caller, ReaderClock when) {
        var about = "Since %s · last seen %s · %s"
                .formatted(when.date(session.createdAt()), when.ago(session.lastUsedAt()), session.address());
        boolean current = caller.session().equals(Optional.of(session.id()));
        return new SessionView(session.id().hex(), Device.name(session.agent()), about, current);
    }
}
