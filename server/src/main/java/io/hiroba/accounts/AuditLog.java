package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The log of what admins did, and of changes of passwords and addresses, written in the transaction of the change. */
public final class AuditLog {

    private final Db db;
    private final IdGenerator ids;
    private final AuditStore store = new AuditStore();

    public AuditLog(Db db, IdGenerator ids) {
        this.db = db;
        this.ids = ids;
    }

    /** The recorded actions. */
    public enum Action {
        FIRST_ADMIN_MADE,
        USER_CREATED,
        USER_UPDATED,
        USER_DELETED,
        ADMIN_GRANTED,
        ADMIN_REVOKED,
        EMAIL_SET,
        EMAIL_CHANGED,
        PASSWORD_CHANGED,
        PASSWORD_RESET,
        USER_SWITCHED,
        USER_SWITCHED_BACK,
        AI_MODEL_SAVED,
        AI_MODEL_DELETED,
        SECOND_FACTOR_ADDED,
        SECOND_FACTOR_REMOVED,
        SECOND_FACTORS_RESET,
        RECOVERY_CODES_CREATED,
        RECOVERY_CODE_USED,
        ENCRYPTION_KEY_ADDED,
        SERVICE_CREDENTIALS_SET,
        SERVICE_CREDENTIALS_REMOVED,
        SIGNING_KEY_CREATED,
        SIGNING_KEY_REVOKED;

        /** The name in the database and in JSON, for example {@code user-created}. */
        public String code() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Action of(String code) {
            return valueOf(code.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    void record(Tx tx, @Nullable UserId actor, Action action, UserId subject) {
        store.insert(tx, new AuditEntry(ids.next(), actor, action, subject, null));
    }

    /** Records what {@code actor} did to something with a name. */
    public void record(Tx tx, UserId actor, Action action, String detail) {
        store.insert(tx, new AuditEntry(ids.next(), actor, action, null, detail));
    }

    /** The newest entries first; {@code before} is the id of the last one seen. */
    List<AuditEntry> list(Caller caller, Optional<Long> before, int limit) {
        caller.requireAdmin();
        return db.read(reads -> store.list(reads, before.orElse(Long.MAX_VALUE), limit));
    }

    /**
     * An entry of the audit log.
     *
     * @param actor the person who acted, even as another user; none for the server
     * @param subject the account that was changed, if it was one
     * @param detail what was changed otherwise, such as the name of a model
     */
    record AuditEntry(
            long id,
            @Nullable UserId actor,
            AuditLog.Action action,
            @Nullable UserId subject,
            @Nullable String detail) {

        Instant at() {
            return Ids.createdAt(id);
        }
    }
}
