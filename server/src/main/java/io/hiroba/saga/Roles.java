package io.hiroba.saga;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.accounts.Admins;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Who may look at sagas and act on them. Admins may do everything; the server itself too. */
public final class Roles {

    private static final Duration REMEMBERED = Duration.ofSeconds(1);
    private static final int MOST_REMEMBERED = 10_000;

    /** Before everybody. */
    private static final UserId NOBODY = new UserId(0);

    private final Db db;
    private final RoleStore store = new RoleStore();
    private final Admins admins = new Admins();
    private final Cache<UserId, Role> lately = Caffeine.newBuilder()
            .maximumSize(MOST_REMEMBERED)
            .expireAfterWrite(REMEMBERED)
            .build();

    public Roles(Db db) {
        this.db = db;
    }

    /** A role that somebody was given. */
    public record Grant(UserId user, String nickname, Role role, Instant grantedAt) {}

    public Role of(Caller caller) {
        return caller.admin() ? Role.ADMIN : db.read(reads -> of(reads, caller));
    }

    /**
     * The role as it was up to a second ago, for what everybody's pages show. What is allowed, {@link #of} tells. A change on
     * this node is seen at once.
     */
    public Role lately(Caller caller) {
        return caller.admin() ? Role.ADMIN : lately.get(caller.user(), user -> of(caller));
    }

    private Role of(Reads reads, Caller caller) {
        return caller.admin() ? Role.ADMIN : store.find(reads, caller.user()).orElse(Role.NONE);
    }

    /**
     * What people may do now, whatever they could when their stream began. Those who may do nothing are left out.
     */
    public Map<UserId, Role> now(Collection<UserId> users) {
        return db.read(reads -> {
            var found = store.find(reads, users);
            admins.among(reads, users).forEach(admin -> found.put(admin, Role.ADMIN));
            return found;
        });
    }

    public void requireAuditor(Caller caller) {
        if (!of(caller).covers(Role.AUDITOR)) {
            throw SagaProblem.auditorsOnly();
        }
    }

    public void requireOperator(Caller caller) {
        if (!of(caller).covers(Role.OPERATOR)) {
            throw SagaProblem.operatorsOnly();
        }
    }

    /** As above, through a connection that is there already: within a transaction nobody waits for a second one. */
    void requireOperator(Reads reads, Caller caller) {
        if (!of(reads, caller).covers(Role.OPERATOR)) {
            throw SagaProblem.operatorsOnly();
        }
    }

    /** Everybody who may act on sagas. */
    public List<UserId> operators(Reads reads) {
        return Stream.concat(store.with(reads, Role.OPERATOR).stream(), admins.all(reads).stream())
                .distinct()
                .toList();
    }

    /** By the ids of the users; {@code after} is the last one seen. */
    public List<Grant> list(Caller caller, Optional<UserId> after, int limit) {
        caller.requireAdmin();
        return db.read(reads -> store.list(reads, after.orElse(NOBODY), limit));
    }

    /** Makes somebody an auditor or an operator. */
    public void grant(Caller caller, UserId user, Role role) {
        caller.requireAdmin();
        caller.requireNotActing();
        if (role != Role.AUDITOR && role != Role.OPERATOR) {
            throw SagaProblem.invalid("role", "must be auditor or operator");
        }
        try {
            db.useTransaction(tx -> store.grant(tx, user, role, caller.actor()));
        } catch (DbException e) {
            if (SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION)) {
                throw SagaProblem.invalid("user", "is not the id of a user");
            }
            throw e;
        }
        lately.invalidate(user);
    }

    public void revoke(Caller caller, UserId user) {
        caller.requireAdmin();
        caller.requireNotActing();
        if (!db.inTransaction(tx -> store.revoke(tx, user))) {
            throw SagaProblem.noRole();
        }
        lately.invalidate(user);
    }
}
