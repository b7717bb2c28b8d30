package io.hiroba.accounts;

import io.hiroba.accounts.Invitations.Invitation;
import io.hiroba.accounts.Invitations.InvitationId;
import io.hiroba.accounts.Invitations.NewInvitation;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of invitations. Creating one takes no Idempotency-Key: its answer holds a secret, which must not be stored. */
final class InvitationRoutes implements Routes {

    private final Invitations invitations;
    private final KeysetList<Invitation, InvitationId> list;

    InvitationRoutes(Invitations invitations, Cursors cursors) {
        this.invitations = invitations;
        this.list = new KeysetList<>(
                cursors,
                "invitations",
                50,
                100,
                cursor -> new InvitationId(cursor.number(0)),
                invitation -> Cursor.of(Long.toString(invitation.id().value())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/invitations", this::create);
        routes.get("/api/v1/invitations", this::list);
        routes.delete("/api/v1/invitations/{id}", this::revoke);
    }

    private record CreateBody(
            @Nullable String email,
            @Nullable String note,
            @Nullable Integer uses,
            @Nullable Instant expiresAt) {}

    private record Issued(
            String id,
            @Nullable String invitation,
            @Nullable String path,
            Instant expiresAt,
            boolean hasAccount) {}

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, CreateBody.class);
        var email = request.email();
        var issued = invitations.create(
                caller,
                RequestLanguage.of(ctx),
                new NewInvitation(
                        email == null ? null : Email.parse(email),
                        Optional.ofNullable(request.note()).orElse(""),
                        Optional.ofNullable(request.uses()).orElse(1),
                        request.expiresAt()));
        var id = issued.invitation().id().hex();
        ctx.status(201)
                .header("Location", "/api/v1/invitations/" + id)
                .json(new Issued(
                        id,
                        issued.secret().orElse(null),
                        issued.secret().map(Invitations::path).orElse(null),
                        issued.invitation().expiresAt(),
                        issued.hasAccount()));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (before, limit) -> invitations.list(caller, before, limit))
                .map(InvitationView::of));
    }

    private void revoke(Context ctx) {
        invitations.revoke(Caller.of(ctx), InvitationId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private record InvitationView(
            String id,
            String createdBy,
            Instant createdAt,
            @Nullable String email,
            String note,
            int maxUses,
            int uses,
            List<String> usedBy,
            Instant expiresAt,
            @Nullable Instant revokedAt) {

        static InvitationView of(Invitation invitation) {
            var email = invitation.email();
            return new InvitationView(
                    invitation.id().hex(),
                    invitation.createdBy().hex(),
                    invitation.id().createdAt(),
                    email == null ? null : email.value(),
                    invitation.note(),
                    invitation.maxUses(),
                    invitation.uses(),
                    invitation.usedBy().stream().map(use -> use.user().hex()).toList(),
                    invitation.expiresAt(),
                    invitation.revokedAt());
        }
    }
}
