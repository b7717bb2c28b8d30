package io.hiroba.inbox.gitlab.connections;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The GitLabs that send their webhooks: made and kept by admins. */
public final class Connections {

    /** Under it, the address and the secret say what may be done. */
    public static final String HOOKS = "/hooks/gitlab/";

    private static final int LONGEST_NAME = 100;
    /** What is compared with where there is nothing to compare with, so that this takes as long. */
    private static final byte[] NOTHING = new byte[32];

    private final Db db;
    private final IdGenerator ids;
    private final String site;
    private final ConnectionStore store = new ConnectionStore();

    /** @param site where this Hiroba is reached, without a slash at the end */
    public Connections(Db db, IdGenerator ids, String site) {
        this.db = db;
        this.ids = ids;
        this.site = site;
    }

    public IssuedConnection create(Caller caller, String name, Linking linking) {
        caller.requireAdmin();
        caller.requireNotActing();
        var clean = requireName(name);
        var secret = HookSecret.random();
        var id = new ConnectionId(ids.next());
        return db.inTransaction(tx -> {
            store.insert(tx, id, clean, linking, secret, caller.user());
            return issued(store.find(tx, id).orElseThrow(), secret);
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

    /** Where this connection's GitLab sends its webhooks to. */
    public String url(ConnectionId id) {
        return site + HOOKS + id.hex();
    }

    /** Changes what is given. */
    public Connection update(
            Caller caller,
            ConnectionId id,
            @Nullable String name,
            @Nullable Boolean enabled,
            @Nullable Linking linking) {
        caller.requireAdmin();
        var clean = name == null ? null : requireName(name);
        return db.inTransaction(tx -> {
            store.update(tx, id, clean, enabled, linking);
            return require(tx, id);
        });
    }

    /** Makes a new secret; calls with the one before are refused from now on. */
    public IssuedConnection renew(Caller caller, ConnectionId id) {
        caller.requireAdmin();
        caller.requireNotActing();
        var secret = HookSecret.random();
        return db.inTransaction(tx -> {
            var connection = require(tx, id);
            store.setSecret(tx, id, secret);
            return issued(connection, secret);
        });
    }

    /** Takes the connection away with all that it told of, and the items about it. */
    public void delete(Caller caller, ConnectionId id) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            if (!store.delete(tx, id)) {
                throw InboxProblem.connectionNotFound();
            }
        });
    }

    /** Which connection a call with this secret comes in by. Nobody without the secret learns whether there is one. */
    public ConnectionId enter(String id, @Nullable String secret) {
        var connection = parse(id);
        var door = db.read(reads -> store.door(reads, connection.orElse(ConnectionId.HIROBA)));
        var hash = door.map(ConnectionStore.Door::secretHash).orElse(NOTHING);
        boolean known = new HookSecret(secret == null ? "" : secret).matches(hash);
        if (!known || connection.isEmpty() || door.isEmpty()) {
            throw InboxProblem.wrongSecret();
        }
        if (!door.get().enabled()) {
            throw InboxProblem.connectionDisabled();
        }
        return connection.get();
    }

    private static Optional<ConnectionId> parse(String id) {
        try {
            return Optional.of(ConnectionId.parse(id));
        } catch (Problem e) {
            return Optional.empty();
        }
    }

    private Connection require(Reads reads, ConnectionId id) {
        return store.find(reads, id).orElseThrow(InboxProblem::connectionNotFound);
    }

    private IssuedConnection issued(Connection connection, HookSecret secret) {
        return new IssuedConnection(connection, url(connection.id()), secret.text());
    }

    private static String requireName(String name) {
        var clean = name.strip();
        if (clean.isEmpty() || clean.length() > LONGEST_NAME) {
            throw InboxProblem.invalid("name", "must have 1 to %d characters".formatted(LONGEST_NAME));
        }
        return clean;
    }
}
