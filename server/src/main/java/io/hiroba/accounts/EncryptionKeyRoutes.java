package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.platform.secrets.Encryption.EncryptionKey;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;

/** The API of the keys that secrets in the database are encrypted with, for admins. */
final class EncryptionKeyRoutes implements Routes {

    private final Encryption encryption;
    private final AuditLog audit;

    EncryptionKeyRoutes(Encryption encryption, AuditLog audit) {
        this.encryption = encryption;
        this.audit = audit;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/admin/keys", this::list);
        routes.post("/api/v1/admin/keys/rotate", this::rotate);
    }

    private record KeyList(List<KeyView> items) {}

    private record KeyView(String id, Instant createdAt, boolean newest, int secrets) {

        static KeyView of(EncryptionKey key) {
            return new KeyView(key.id(), key.createdAt(), key.isNewest(), key.secrets());
        }
    }

    private void list(Context ctx) {
        Caller.of(ctx).requireAdmin();
        show(ctx);
    }

    private void show(Context ctx) {
        ctx.json(new KeyList(encryption.list().stream().map(KeyView::of).toList()));
    }

    private void rotate(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var rotation = encryption.rotate(
                (tx, key) -> audit.record(tx, caller, Action.ENCRYPTION_KEY_ADDED, Target.named(key)));
        switch (rotation) {
            case STARTED -> show(ctx.status(202));
            case UNFINISHED -> throw AccountsProblem.rotationUnfinished();
            case SEVERAL_NODES -> throw AccountsProblem.rotationOfSeveralNodes();
            case UNUSABLE_FILE -> throw AccountsProblem.keyFileUnusable();
        }
    }
}
