package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenId;
import io.hiroba.accounts.signin.NewToken;
import io.hiroba.accounts.signin.Token;
import io.hiroba.accounts.signin.Tokens;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keys for programs: made, shown once, revoked. */
public final class TokenPages implements Routes {

    private static final int MOST = 100;

    private final Shell shell;
    private final Readers readers;
    private final Tokens tokens;
    private final InstantSource clock;

    public TokenPages(Shell shell, Readers readers, Tokens tokens, InstantSource clock) {
        this.shell = shell;
        this.readers = readers;
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings/tokens", ctx -> show(ctx, Form.EMPTY, ""));
        routes.post("/settings/tokens", this::create);
        routes.post("/settings/tokens/{id}/revoke", this::revoke);
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "name");
        try {
            var issued = tokens.create(caller, new NewToken(form.value("name"), null));
            show(ctx, Form.EMPTY, issued.secret());
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal), "");
        }
    }

    private void revoke(Context ctx) {
        tokens.revoke(Caller.of(ctx), TokenId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, "/settings/tokens", "The token is revoked.");
    }

    private void show(Context ctx, Form form, String created) {
        var views = views(tokens, Caller.of(ctx), MOST, new ReaderClock(clock.instant(), readers.zone(ctx)));
        shell.page(
                ctx, "Tokens", "accounts/settings-tokens", Map.of("form", form, "tokens", views, "created", created));
    }

    static List<TokenView> views(Tokens tokens, Caller caller, int limit, ReaderClock when) {
        return tokens.list(caller, Optional.empty(), limit).stream()
                .map(token -> view(token, when))
                .toList();
    }

    private static TokenView view(Token token, ReaderClock when) {
        var lastUsed = token.lastUsedAt();
        return new TokenView(
                token.id().hex(),
                token.name(),
                "Made on " + when.date(token.createdAt()),
                lastUsed == null ? "Never used" : "Used " + when.ago(lastUsed));
    }
}
