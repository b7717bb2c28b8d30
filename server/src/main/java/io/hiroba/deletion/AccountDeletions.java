package io.hiroba.deletion;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.Sagas;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Deletes accounts: the account is closed and its deletion saga started in one transaction. Posts, projects, knowledge and
 * items go in small transactions, the account with the rest of it goes last. Whatever dies in between, it is carried on.
 */
final class AccountDeletions {

    static final String SERVICE = "hiroba";

    private static final String WORKFLOW = "hiroba.account-deletion";
    private static final Duration WAIT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final Sessions sessions;
    private final Sagas sagas;

    AccountDeletions(Db db, Users users, Credentials credentials, Sessions sessions, Sagas sagas) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.sessions = sessions;
        this.sagas = sagas;
    }

    /**
     * Closes the account at once and deletes it; false where that goes on after this returns.
     *
     * @param password of the caller; empty if their session was confirmed lately
     */
    boolean delete(Caller caller, UserId id, String password) {
        caller.requireOwnerOrAdmin(id);
        var confirmation = sessions.confirm(caller, password);
        var input = JsonMapper.shared()
                .createObjectNode()
                .put("user", id.hex())
                .put("by", caller.actor().hex());
        var unknown = credentials.hash(new Password(UUID.randomUUID().toString()));
        db.useTransaction(tx -> {
            confirmation.require(tx);
            users.close(tx, caller, id);
            credentials.set(tx, id, unknown);
            sessions.revokeAll(tx, id);
            sagas.startBuiltIn(tx, new NewSaga(WORKFLOW, input, "account-" + id.hex(), SERVICE, null));
        });
        return isGoneSoon(id);
    }

    /** Most accounts are gone before the answer is sent. */
    private boolean isGoneSoon(UserId id) {
        long end = System.nanoTime() + WAIT_TIMEOUT.toNanos();
        while (users.find(id).isPresent()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
        return true;
    }

    /** The last step of the saga. A repeat finds nobody, and that is what was wanted. */
    JsonNode deleteAccount(JsonNode input) {
        var user = UserId.parse(input.path("user").asString());
        if (users.find(user).isPresent()) {
            users.delete(Caller.server(UserId.parse(input.path("by").asString())), user);
        }
        return JsonMapper.shared().createObjectNode();
    }
}
