package io.hiroba.accounts.pages;

import io.hiroba.accounts.ApiToken;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.TokenId;
import io.hiroba.accounts.Tokens;
import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings page that creates and revokes API tokens. */
public final class TokenPages implements Routes {

    private static final int MAX_SHOWN = 100;

    private final Shell shell;
    private final Readers readers;
    private final Tokens tokens;
    private final Sessions sessions;

    TokenPages(Shell shell, Readers readers, Tokens tokens, Sessions sessions) {
        this.shell = shell;
        this.readers = readers;
        this.tokens = tokens;
        this.sessions = sessions;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings/tokens", ctx -> show(ctx, Form.EMPTY, ""));
        routes.post("/settings/tokens", this::create);
        routes.post("/settings/tokens/{id}/revoke", this::revoke);
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "name", "password");
        try {
            if (!form.value("password").isEmpty()) {
                sessions.confirm(caller, form.value("password"));
            }
            var issued = tokens.create(caller, new NewToken(form.value("name"), null));
            show(ctx, Form.EMPTY, issued.secret());
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal), "");
        }
    }

    private void revoke(Context ctx) {
        tokens.revoke(Caller.of(ctx), TokenId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, "/settings/tokens", Text.of("accounts.tokens-revoked"));
    }

    private void show(Context ctx, Form form, String created) {
        var views = views(tokens, Caller.of(ctx), MAX_SHOWN, readers.reader(ctx));
        shell.page(
                ctx,
                Text.of("accounts.tokens"),
                "accounts/settings-tokens",
                Map.of(
                        "form",
                        form.without("password"),
                        "tokens",
                        views,
                        "created",
                        created,
                        "isConfirmed",
                        sessions.isConfirmed(Caller.of(ctx))));
    }

    static List<TokenView> views(Tokens tokens, Caller caller, int limit, Reader reader) {
        return tokens.list(caller, Optional.empty(), limit).stream()
                .map(token -> view(token, reader))
                .toList();
    }

    private static TokenView view(ApiToken token, Reader reader) {
        var lastUsed = token.lastUsedAt();
        return new TokenView(
                token.id().hex(),
                token.name(),
                reader.text("accounts.tokens-created", "date", reader.date(token.createdAt())),
                lastUsed == null
                        ? reader.text("accounts.tokens-never-used")
                        : reader.text("accounts.tokens-used", "when", reader.ago(lastUsed)));
    }

    /** The view of a token, without its secret. */
    public record TokenView(String id, String name, String created, String used) {}
}
