package io.hiroba.accounts;

import io.hiroba.accounts.AuditStore.NewEntry;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.RetentionSweep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The append-only log of log-ins, of changes of credentials, rights and settings, and of what admins did with the things of
 * others, written in the transaction of the change. The database gives each entry its id, so any feature can write.
 */
public final class AuditLog {

    private final Db db;
    private final AuditStore store = new AuditStore();
    private BiConsumer<Tx, NewEntry> watcher = (tx, entry) -> {};

    public AuditLog(Db db) {
        this.db = db;
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
        USER_CLOSED,
        SIGNED_UP,
        LOGGED_IN,
        LOG_IN_FAILED,
        LOGGED_OUT,
        SESSION_ENDED,
        TOKEN_CREATED,
        TOKEN_REVOKED,
        AUDIT_EXPORTED,
        SAGA_ROLE_GRANTED,
        SAGA_ROLE_REVOKED,
        WORKFLOW_REGISTERED,
        WORKFLOW_ENABLED,
        WORKFLOW_DISABLED,
        SERVICE_SAVED,
        SERVICE_DELETED,
        SAGA_CANCELLED,
        SAGA_COMPENSATED,
        SAGA_RETRIED,
        SAGA_SIGNALLED,
        CONNECTION_CREATED,
        CONNECTION_CHANGED,
        CONNECTION_SECRET_RENEWED,
        CONNECTION_DELETED,
        IDENTITY_ASSIGNED,
        IDENTITY_CONFIRMED,
        IDENTITY_REJECTED,
        PROJECT_CHANGED,
        PROJECT_DELETED,
        PROJECT_MEMBER_SET,
        PROJECT_MEMBER_REMOVED,
        SCHEMA_RULES_SET,
        SCHEMA_TEXTS_SET,
        SCHEMA_DELETED,
        SCHEMA_RESTORED,
        SCHEMA_ERASED,
        RECORDS_SEEN_AS,
        SOURCE_READ,
        SOURCE_CHANGED,
        SOURCE_DELETED,
        CHAT_SESSION_READ,
        CHAT_SESSION_CHANGED,
        CHAT_SESSION_DELETED,
        POST_RULE_ADDED,
        POST_RULE_REMOVED,
        POST_EDITED,
        POST_DELETED,
        IMAGE_DELETED,
        MAIL_READ,
        SECOND_FACTOR_ADDED,
        SECOND_FACTOR_REMOVED,
        SECOND_FACTORS_RESET,
        RECOVERY_CODES_CREATED,
        RECOVERY_CODE_USED,
        USER_SUSPENDED,
        USER_RESTORED,
        INVITATION_CREATED,
        INVITATION_REVOKED,
        INVITATION_USED,
        IDENTITY_LINKED,
        IDENTITY_UNLINKED,
        APP_CONNECTED,
        APP_DISCONNECTED,
        APP_TOKEN_REUSED,
        DATA_EXPORTED,
        ENCRYPTION_KEY_ADDED,
        SERVICE_CREDENTIALS_SET,
        SERVICE_CREDENTIALS_REMOVED,
        SIGNING_KEY_CREATED,
        SIGNING_KEY_REVOKED,
        CHAT_MODEL_CHOSEN,
        COLLECTION_CREATED,
        COLLECTION_CHANGED,
        COLLECTION_DELETED,
        COLLECTION_MEMBER_SET,
        COLLECTION_MEMBER_REMOVED,
        APPROVAL_APPROVED,
        APPROVAL_REJECTED,
        SAGA_RESOLVED,
        SAGA_PAYLOAD_CHANGED,
        SCHEDULE_CREATED,
        SCHEDULE_CHANGED,
        SCHEDULE_PAUSED,
        SCHEDULE_RESUMED,
        SCHEDULE_TRIGGERED,
        SCHEDULE_DELETED,
        SERVICE_LIMITS_SET,
        COLLECTION_WATCH_ADDED,
        COLLECTION_WATCH_REMOVED,
        WEBHOOK_CREATED,
        WEBHOOK_CHANGED,
        WEBHOOK_SECRET_RENEWED,
        WEBHOOK_DELETED,
        SAGA_MIGRATED,
        AGENT_CREATED,
        AGENT_CHANGED,
        AGENT_DELETED,
        VIEW_LINK_CREATED,
        VIEW_LINK_REVOKED,
        SQL_ACCESS_OPENED,
        SQL_ACCESS_CLOSED,
        AGENTS_PAUSED,
        AGENTS_RESUMED,
        AGENT_PAUSED,
        AGENT_RESUMED,
        TOOL_SERVER_ADDED,
        TOOL_SERVER_CHANGED,
        TOOL_SERVER_CREDENTIAL_CHANGED,
        TOOL_SERVER_CONNECTED,
        TOOL_SERVER_DISCONNECTED,
        TOOL_SERVER_DELETED,
        SERVER_TOOL_ALLOWED,
        SERVER_TOOL_WITHDRAWN,
        CHAT_SESSION_CORRECTED,
        CHAT_SESSION_FORGOTTEN,
        AGENT_MAKER_ADDED,
        AGENT_MAKER_REMOVED,
        MEMBER_MODEL_ALLOWED,
        MEMBER_MODEL_WITHDRAWN;

        /** The name in the database and in JSON, for example {@code user-created}. */
        public String code() {
            return AuditLog.code(this);
        }

        /** The action with this code, if there is one. */
        public static Optional<Action> find(String code) {
            return AuditLog.find(values(), code);
        }
    }

    /** The kinds of what an action was done to. */
    public enum TargetKind {
        USER,
        SESSION,
        TOKEN,
        AI_MODEL,
        SAGA,
        WORKFLOW,
        SERVICE,
        CONNECTION,
        IDENTITY,
        PROJECT,
        SCHEMA,
        SOURCE,
        CHAT_SESSION,
        POST_RULE,
        POST,
        IMAGE,
        COLLECTION,
        SCHEDULE,
        WEBHOOK,
        TOOL_SERVER;

        public String code() {
            return AuditLog.code(this);
        }

        /** The kind with this code, if there is one. */
        public static Optional<TargetKind> find(String code) {
            return AuditLog.find(values(), code);
        }
    }

    private static String code(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> Optional<E> find(E[] all, String code) {
        return List.of(all).stream().filter(each -> code(each).equals(code)).findFirst();
    }

    /** Records what {@code actor} did to an account; nobody is the server. */
    void record(Tx tx, @Nullable UserId actor, Action action, UserId subject) {
        insert(tx, NewEntry.of(actor, action, Target.of(subject)));
    }

    /** Records what {@code actor} did to something with a name. */
    void record(Tx tx, UserId actor, Action action, String detail) {
        insert(tx, NewEntry.of(actor, action, Target.named(detail)));
    }

    /** As below, where nothing but the action is worth telling. */
    public void record(Tx tx, Caller caller, Action action, Target target) {
        record(tx, caller, action, target, Changes.NONE);
    }

    /** Records what {@code caller} does in {@code tx}. */
    public void record(Tx tx, Caller caller, Action action, Target target, Changes changes) {
        insert(tx, NewEntry.of(caller, action, target, changes));
    }

    /** Records what somebody did who has no session or token; nobody if it is not known who that was. */
    void record(Tx tx, @Nullable UserId actor, Caller.Origin origin, Action action, Target target) {
        insert(tx, new NewEntry(actor, null, null, origin, action, target, Changes.NONE));
    }

    private void insert(Tx tx, NewEntry entry) {
        store.insert(tx, entry);
        watcher.accept(tx, entry);
    }

    /** Lets {@code next} see each entry that is recorded here, in its transaction. */
    void watch(BiConsumer<Tx, NewEntry> next) {
        watcher = next;
    }

    /** Records that {@code caller} reads what is another's: at most every ten minutes, since pages read things in parts. */
    public void recordRead(Caller caller, Action action, Target target) {
        db.useTransaction(tx -> {
            var entry = NewEntry.of(caller, action, target, Changes.NONE);
            if (!store.isRecent(tx, entry)) {
                store.insert(tx, entry);
            }
        });
    }

    /** Blanks the names and values in the entries about an account that is being deleted. */
    void forget(Tx tx, UserId user) {
        store.blank(tx, user);
    }

    /** The newest entries first; {@code before} is the id of the last one seen. */
    List<AuditEntry> list(Caller caller, Optional<Long> before, int limit) {
        return list(caller, AuditFilter.ALL, before, limit);
    }

    /**
     * As above, of those that the filters leave.
     *
     * @param filters as the API takes them, by their names
     */
    public List<AuditEntry> list(Caller caller, Map<String, String> filters, Optional<Long> before, int limit) {
        return list(caller, AuditFilter.of(filters), before, limit);
    }

    List<AuditEntry> list(Caller caller, AuditFilter filter, Optional<Long> before, int limit) {
        caller.requireAdmin();
        return db.read(reads -> store.list(reads, filter, before.orElse(Long.MAX_VALUE), limit));
    }

    /** Records an export, of entries that were there before; returns the id that they are below. */
    long beginExport(Caller caller, AuditFilter filter) {
        caller.requireAdmin();
        var entry = NewEntry.of(caller, Action.AUDIT_EXPORTED, Target.NONE, filter.asChanges());
        return db.inTransaction(tx -> store.insert(tx, entry));
    }

    /** Deletes entries of before that time. */
    void sweep(Instant before) {
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteOld(tx, before, limit)));
    }

    /**
     * The target of an action.
     *
     * @param name for people to read; it is blanked when the account of {@code subject} is deleted
     * @param subject the account that it is, or belongs to, if any
     */
    public record Target(
            @Nullable TargetKind kind,
            @Nullable String id,
            @Nullable String name,
            @Nullable UserId subject) {

        /** Nothing in particular. */
        public static final Target NONE = new Target(null, null, null, null);

        /** An account. Its name is not kept: it is looked up while the account is there. */
        public static Target of(UserId user) {
            return new Target(TargetKind.USER, user.hex(), null, user);
        }

        /** Something that has a name and is of no kind. */
        static Target named(String name) {
            return new Target(null, null, name, null);
        }

        /** Something that belongs to nobody in particular. */
        public static Target of(TargetKind kind, String id, @Nullable String name) {
            return new Target(kind, id, name, null);
        }

        /** Something of that user. */
        public static Target of(TargetKind kind, String id, @Nullable String name, UserId owner) {
            return new Target(kind, id, name, owner);
        }
    }

    /** The fields that an action changed, before and after. Never of secrets: that they changed is the action itself. */
    public record Changes(List<FieldChange> fields) {

        public static final Changes NONE = new Changes(List.of());

        private static final int MAX_LENGTH = 500;

        public Changes {
            fields = List.copyOf(fields);
        }

        /** A changed field; null where it was not or is no more. */
        record FieldChange(
                String name,
                @Nullable Object before,
                @Nullable Object after) {}

        /** With another field, if it changed. */
        public Changes with(String field, @Nullable Object before, @Nullable Object after) {
            if (Objects.equals(before, after)) {
                return this;
            }
            var more = new ArrayList<>(fields);
            more.add(new FieldChange(field, value(before), value(after)));
            return new Changes(more);
        }

        private static @Nullable Object value(@Nullable Object value) {
            return switch (value) {
                case null -> null;
                case Number number -> number;
                case Boolean flag -> flag;
                case Enum<?> constant -> code(constant);
                case Collection<?> some ->
                    some.stream()
                            .map(Changes::value)
                            .sorted(Comparator.comparing(String::valueOf))
                            .toList();
                default -> AuditStore.storable(value.toString(), MAX_LENGTH);
            };
        }
    }

    /**
     * A user in an entry.
     *
     * @param nickname null once the account is deleted
     */
    public record Person(UserId id, @Nullable String nickname) {}
}
