package io.hiroba;

import io.hiroba.accounts.AccountDeletion;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.signin.Sessions;
import io.hiroba.platform.db.Db;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.workflow.Workflows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.json.JsonMapper;

/**
 * Deletes accounts as a saga: with the request the account is closed and the saga is there; the posts go in small
 * transactions, the account with the rest of it goes last. Whatever dies in between, it is carried on.
 */
final class AccountFarewell implements AccountDeletion {

    private static final String WORKFLOW = "hiroba.account-deletion";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final Sessions sessions;
    private final Sagas sagas;

    AccountFarewell(Db db, Users users, Credentials credentials, Sessions sessions, Sagas sagas) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.sessions = sessions;
        this.sagas = sagas;
    }

    void register(Workflows workflows) {
        workflows.registerOwn(definition());
    }

    @Override
    public boolean delete(Caller caller, UserId id) {
        var payload = JsonMapper.shared()
                .createObjectNode()
                .put("user", id.hex())
                .put("by", caller.actor().hex());
        var unknown = credentials.hash(new Password(UUID.randomUUID().toString()));
        db.useTransaction(tx -> {
            users.close(tx, caller, id);
            credentials.set(tx, id, unknown);
            sessions.lockOut(tx, id);
            sagas.startOwn(tx, new NewSaga(WORKFLOW, payload, "account-" + id.hex(), FarewellSteps.SERVICE, null));
        });
        return isGoneSoon(id);
    }

    /** Most accounts are gone before the answer is sent. */
    private boolean isGoneSoon(UserId id) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (users.find(id).isPresent()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    private static String definition() {
        try (var text = AccountFarewell.class.getResourceAsStream("workflows/account-deletion.yaml")) {
            if (text == null) {
                throw new IllegalStateException("the workflow of account deletion is missing");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
