package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.OidcLogIns;
import io.hiroba.accounts.OidcLogIns.LinkedIdentity;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The settings page that lists, links and unlinks the identities that an account is signed in to with. */
public final class IdentityPages implements Routes {

    private static final String PATH = "/settings/sign-in";

    private final Shell shell;
    private final Readers readers;
    private final OidcLogIns oidc;

    IdentityPages(Shell shell, Readers readers, OidcLogIns oidc) {
        this.shell = shell;
        this.readers = readers;
        this.oidc = oidc;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, Form.EMPTY));
        routes.post(PATH + "/{id}/unlink", this::unlink);
    }

    private void unlink(Context ctx) {
        try {
            oidc.unlink(Caller.of(ctx), Ids.parse(ctx.pathParam("id")));
            shell.seeOther(ctx, PATH, Text.of("accounts.identity-unlinked"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, PATH);
            show(ctx, Form.EMPTY.refused(refusal));
        }
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("accounts.sign-in"),
                "accounts/settings-sign-in",
                Map.of(
                        "form",
                        form,
                        "identities",
                        oidc.list(caller).stream()
                                .map(identity -> view(identity, reader))
                                .toList(),
                        "providers",
                        oidc.providers(),
                        "hasPassword",
                        oidc.hasPassword(caller)));
    }

    private IdentityView view(LinkedIdentity identity, Reader reader) {
        return new IdentityView(
                Ids.hex(identity.id()),
                oidc.providerOf(identity.issuer()),
                reader.text(
                        "accounts.identity-about",
                        "name",
                        identity.name(),
                        "date",
                        reader.date(Ids.createdAt(identity.id())),
                        "used",
                        reader.ago(identity.lastUsedAt())));
    }

    /** The view of a linked identity. */
    public record IdentityView(String id, String provider, String about) {}
}
