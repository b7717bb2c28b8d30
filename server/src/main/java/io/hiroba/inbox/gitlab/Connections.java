package io.hiroba.inbox.gitlab;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.problem.Problem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The GitLab instances that send webhooks, managed by admins. */
public final class Connections {

    /** The path of webhooks, which are authenticated by their secret. */
    public static final String HOOKS = "/hooks/gitlab/";

    private static final int MAX_NAME_LENGTH = 100;
    /** Stands for the hash of an unknown connection, so that the comparison takes as long. */
    private static final byte[] NO_HASH = new byte[32];

    private final Db db;
    private final IdGenerator ids;
    private final Site site;
    private final boolean isLocal;
    private final AuditLog audit;
    private final ConnectionStore store = new ConnectionStore();

    /** @param server where GitLab reaches this server */
    public Connections(Db db, IdGenerator ids, HttpConfig server) {
        this.db = db;
        this.ids = ids;
        this.site = Site.of(server);
        this.isLocal = server.publicUrl().isEmpty();
        this.audit = new AuditLog(db);
    }

    public Issued create(Caller caller, String name, AccountLinking linking) {
        caller.requireAdmin();
        caller.requireNotActing();
        var clean = requireName(name);
        var secret = WebhookSecret.random();
        var id = new ConnectionId(ids.next());
        return db.inTransaction(tx -> {
            store.insert(tx, id, clean, linking, secret, caller.user());
            var created = store.find(tx, id).orElseThrow();
            var changes = Changes.NONE.with("name", null, clean).with("linking", null, linking);
            audit.record(tx, caller, AuditLog.Action.CONNECTION_CREATED, target(created), changes);
            return issued(created, secret);
        });
    }

    public List<Connection> list(Caller caller) {
        caller.requireAdmin();
        return db.read(store::list);
    }

    public Connection get(Caller caller, ConnectionId id) {
        caller.requireAdmin();
        return db.read(reads -> require(reads, id));
    }

    /** The webhook URL of a connection. */
    public String url(ConnectionId id) {
        return site.link(HOOKS + id.hex());
    }

    /** Whether this server knows no address but localhost, where a GitLab on another machine does not reach it. */
    public boolean isLocal() {
        return isLocal;
    }

    /** Changes the fields that are not null. */
    public Connection update(
            Caller caller,
            ConnectionId id,
            @Nullable String name,
            @Nullable Boolean enabled,
            @Nullable AccountLinking linking) {
        caller.requireAdmin();
        var clean = name == null ? null : requireName(name);
        return db.inTransaction(tx -> {
            var before = require(tx, id);
            store.update(tx, id, clean, enabled, linking);
            var now = require(tx, id);
            var changes = Changes.NONE
                    .with("name", before.name(), now.name())
                    .with("enabled", before.enabled(), now.enabled())
                    .with("linking", before.linking(), now.linking());
            audit.record(tx, caller, AuditLog.Action.CONNECTION_CHANGED, target(now), changes);
            return now;
        });
    }

    /** Creates a new secret; calls with the old one are rejected from now on. */
    public Issued renewSecret(Caller caller, ConnectionId id) {
        caller.requireAdmin();
        caller.requireNotActing();
        var secret = WebhookSecret.random();
        return db.inTransaction(tx -> {
            var connection = require(tx, id);
            store.setSecret(tx, id, secret);
            audit.record(tx, caller, AuditLog.Action.CONNECTION_SECRET_RENEWED, target(connection));
            return issued(connection, secret);
        });
    }

    /** Deletes the connection with all that is mirrored from it, and the items about that. */
    public void delete(Caller caller, ConnectionId id) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            var connection = require(tx, id);
            if (!store.delete(tx, id)) {
                throw InboxProblem.connectionNotFound();
            }
            audit.record(tx, caller, AuditLog.Action.CONNECTION_DELETED, target(connection));
        });
    }

    /** Finds the connection with this secret, without revealing whether the id exists; empty for a wrong one. */
    public Optional<ConnectionId> authenticate(String id, @Nullable String secret) {
        var connection = parse(id);
        var credential = db.read(reads -> store.credential(reads, connection.orElse(ConnectionId.HIROBA)));
        var hash = credential.map(ConnectionStore.Credential::secretHash).orElse(NO_HASH);
        boolean known = new WebhookSecret(secret == null ? "" : secret).matches(hash);
        if (!known || connection.isEmpty() || credential.isEmpty()) {
            return Optional.empty();
        }
        if (!credential.get().enabled()) {
            throw InboxProblem.connectionDisabled();
        }
        return connection;
    }

    private static Optional<ConnectionId> parse(String id) {
        try {
            return Optional.of(ConnectionId.parse(id));
        } catch (Problem e) {
            return Optional.empty();
        }
    }

    private static Target target(Connection connection) {
        return Target.of(TargetKind.CONNECTION, connection.id().hex(), connection.name());
    }

    private Connection require(Reads reads, ConnectionId id) {
        return store.find(reads, id).orElseThrow(InboxProblem::connectionNotFound);
    }

    private Issued issued(Connection connection, WebhookSecret secret) {
        return new Issued(connection, url(connection.id()), secret.text());
    }

    private static String requireName(String name) {
        var clean = name.strip();
        if (clean.isEmpty() || clean.length() > MAX_NAME_LENGTH) {
            throw InboxProblem.invalid("name", Text.of("inbox.field.characters", "max", MAX_NAME_LENGTH));
        }
        return clean;
    }

    /** A connection with the URL and the secret to enter in GitLab. The secret is shown this once. */
    public record Issued(Connection connection, String url, String secret) {

        @Override
        public String toString() {
            return "Issued[" + connection.id() + "]";
        }
    }
}
