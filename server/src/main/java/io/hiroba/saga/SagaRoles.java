package io.hiroba.saga;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.accounts.AccountLookup;
import io.hiroba.accounts.Admins;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Grants roles in sagas and checks them. Admins may do everything; the server itself too. */
public final class SagaRoles {

    private static final Duration CACHE_TTL = Duration.ofSeconds(1);
    private static final int MAX_CACHED = 10_000;

    /** Before the first user. */
    private static final UserId NOBODY = new UserId(0);

    private final Db db;
    private final SagaRoleStore store = new SagaRoleStore();
    private final Admins admins = new Admins();
    private final AccountLookup accounts = new AccountLookup();
    private final AuditLog audit;
    private final Cache<UserId, SagaRole> cache = Caffeine.newBuilder()
            .maximumSize(MAX_CACHED)
            .expireAfterWrite(CACHE_TTL)
            .build();

    public SagaRoles(Db db) {
        this.db = db;
        this.audit = new AuditLog(db);
    }

    /** A granted role. */
    public record Grant(UserId user, String nickname, SagaRole role, Instant grantedAt) {}

    public SagaRole of(Caller caller) {
        return caller.admin() ? SagaRole.ADMIN : db.read(reads -> of(reads, caller));
    }

    /**
     * The role as of at most a second ago, for the navigation only: {@link #of} decides what is allowed. A change on this
     * node is seen at once.
     */
    public SagaRole cached(Caller caller) {
        return caller.admin() ? SagaRole.ADMIN : cache.get(caller.user(), user -> of(caller));
    }

    SagaRole of(Reads reads, Caller caller) {
        return caller.admin()
                ? SagaRole.ADMIN
                : store.find(reads, caller.user()).orElse(SagaRole.NONE);
    }

    /**
     * The current roles of these users, whatever they were when a stream began; users without a role are left out.
     */
    public Map<UserId, SagaRole> current(Collection<UserId> users) {
        return db.read(reads -> current(reads, users));
    }

    /** As above, on the caller's connection. */
    public Map<UserId, SagaRole> current(Reads reads, Collection<UserId> users) {
        var found = store.find(reads, users);
        admins.among(reads, users).forEach(admin -> found.put(admin, SagaRole.ADMIN));
        return found;
    }

    /** Those of {@code users} who have been given the role of an auditor, or one that covers it; admins are not asked for. */
    Set<UserId> auditors(Reads reads, Collection<UserId> users) {
        var found = store.find(reads, users);
        return users.stream()
                .filter(user -> found.getOrDefault(user, SagaRole.NONE).covers(SagaRole.AUDITOR))
                .collect(Collectors.toSet());
    }

    public void requireAuditor(Caller caller) {
        if (!of(caller).covers(SagaRole.AUDITOR)) {
            throw SagaProblem.auditorsOnly();
        }
    }

    public void requireOperator(Caller caller) {
        if (!of(caller).covers(SagaRole.OPERATOR)) {
            throw SagaProblem.operatorsOnly();
        }
    }

    /** As above, on the caller's connection: waiting for a second one within a transaction could exhaust the pool. */
    public void requireOperator(Reads reads, Caller caller) {
        if (!of(reads, caller).covers(SagaRole.OPERATOR)) {
            throw SagaProblem.operatorsOnly();
        }
    }

    /** Those of the users who are operators or admins. */
    public Set<UserId> operators(Reads reads, Collection<UserId> users) {
        return current(reads, users).entrySet().stream()
                .filter(each -> each.getValue().covers(SagaRole.OPERATOR))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** All operators, admins included. */
    public List<UserId> operators(Reads reads) {
        return Stream.concat(store.withRole(reads, SagaRole.OPERATOR).stream(), admins.all(reads).stream())
                .distinct()
                .toList();
    }

    /** Whether the name is a role, which may have no members, and not that of one account. */
    public static boolean isRole(String name) {
        return name.startsWith("role:");
    }

    /** The users whom a workflow means: {@code role:operator}, an id or an e-mail address; none if it is unknown. */
    public List<UserId> people(Reads reads, String name) {
        return switch (name) {
            case "role:operator" -> operators(reads);
            case "role:auditor" -> store.withRole(reads, SagaRole.AUDITOR);
            case "role:admin" -> admins.all(reads);
            default ->
                Ids.isId(name)
                        ? store.existing(reads, UserId.parse(name))
                        : accounts.byEmail(reads, name).stream().toList();
        };
    }

    /** Those of the accounts that are agents, which no approval asks. */
    public Set<UserId> agents(Reads reads, Collection<UserId> users) {
        return accounts.agents(reads, users);
    }

    /** By the ids of the users; {@code after} is the last one seen. */
    public List<Grant> list(Caller caller, Optional<UserId> after, int limit) {
        caller.requireAdmin();
        return db.read(reads -> store.list(reads, after.orElse(NOBODY), limit));
    }

    /** The user with this id or nickname, as somebody typed it; a nickname may be that of several. */
    public UserId user(String typed) {
        var name = typed.strip();
        if (Ids.isId(name)) {
            return UserId.parse(name);
        }
        var found = db.read(reads -> store.named(reads, name));
        if (found.size() > 1) {
            throw SagaProblem.invalid("user", Text.of("saga.field.user-ambiguous"));
        }
        return found.stream()
                .findFirst()
                .orElseThrow(() -> SagaProblem.invalid("user", Text.of("saga.field.user-unknown")));
    }

    /** Makes a user an auditor or an operator. */
    public void grant(Caller caller, UserId user, SagaRole role) {
        caller.requireAdmin();
        caller.requireNotActing();
        if (role != SagaRole.AUDITOR && role != SagaRole.OPERATOR) {
            throw SagaProblem.invalid("role", Text.of("saga.field.role"));
        }
        try {
            db.useTransaction(tx -> {
                var changes = Changes.NONE.with("role", store.find(tx, user).orElse(null), role);
                store.grant(tx, user, role, caller.actor());
                audit.record(tx, caller, AuditLog.Action.SAGA_ROLE_GRANTED, Target.of(user), changes);
            });
        } catch (DbException e) {
            if (SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION)) {
                throw SagaProblem.invalid("user", Text.of("saga.field.user"));
            }
            throw e;
        }
        cache.invalidate(user);
    }

    public void revoke(Caller caller, UserId user) {
        caller.requireAdmin();
        caller.requireNotActing();
        db.useTransaction(tx -> {
            var changes = Changes.NONE.with("role", store.find(tx, user).orElse(null), null);
            if (!store.revoke(tx, user)) {
                throw SagaProblem.noRole();
            }
            audit.record(tx, caller, AuditLog.Action.SAGA_ROLE_REVOKED, Target.of(user), changes);
        });
        cache.invalidate(user);
    }
}
