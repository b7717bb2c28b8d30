package io.hiroba.saga.call;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.RefusedValueException;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRoles;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The services that steps may call: local ones, those that admins have registered and those of the configuration, in this
 * order of precedence.
 */
public final class Services {

    /**
     * A service that steps may call.
     *
     * @param endpoint null for a local service
     * @param updatedBy null where it was not registered
     * @param async whether it may answer 202, and say later how a call ended
     */
    public record Service(
            String name,
            Origin origin,
            @Nullable Endpoint endpoint,
            @Nullable String updatedBy,
            @Nullable Instant updatedAt,
            boolean async) {

        /** The origin of a service. */
        public enum Origin {
            LOCAL,
            REGISTERED,
            CONFIGURED
        }
    }

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");

    /** The time after which every node sees a change. */
    private static final Duration CACHE_TTL = Duration.ofSeconds(1);

    private static final int MAX_CACHED = 10_000;

    private final Db db;
    private final SagaRoles roles;
    private final LocalSteps local;
    private final AuditLog audit;
    private final Map<String, Service> configured = new HashMap<>();
    private final ServiceStore store = new ServiceStore();
    private final ServiceSecretStore secretStore = new ServiceSecretStore();
    private final CallLimitStore limitStore = new CallLimitStore();
    private final CallLimits limits;
    private final ServiceHealth health;
    private final SecretSource secrets;
    private final LoadingCache<String, Optional<CallTarget>> targets;

    /** Reads the secrets that calls of a service at this endpoint are sent with. */
    @FunctionalInterface
    private interface SecretSource {
        CallSecrets read(Reads reads, String service, Endpoint endpoint);
    }

    /** The place and the secrets of calls. */
    record CallTarget(Endpoint endpoint, CallSecrets secrets, boolean isLimited, boolean isAsync) {}

    /**
     * The limits of the calls of a service, on all nodes together; null where there is none.
     *
     * @param maxConcurrent how many calls may be under way at once
     * @param ratePerSecond how many may begin in a second, on average
     */
    public record ServiceLimits(
            @Nullable Integer maxConcurrent, @Nullable BigDecimal ratePerSecond) {

        public static final ServiceLimits NONE = new ServiceLimits(null, null);

        private static final int MAX = 100_000;

        private void require() {
            if (maxConcurrent != null && (maxConcurrent < 1 || maxConcurrent > MAX)) {
                throw SagaProblem.invalid("maxConcurrent", Text.of("http.field.number-between", "min", 1, "max", MAX));
            }
            if (ratePerSecond != null
                    && (ratePerSecond.compareTo(new BigDecimal("0.001")) < 0
                            || ratePerSecond.compareTo(BigDecimal.valueOf(MAX)) > 0)) {
                throw SagaProblem.invalid("ratePerSecond", Text.of("saga.limits.rate"));
            }
        }
    }

    public Services(Db db, SagaRoles roles, LocalSteps local, Map<String, String> configured, Encryption encryption) {
        this(db, roles, local, configured, new CallSecretReader(encryption)::read);
    }

    /** Without credentials and signatures of calls. */
    public Services(Db db, SagaRoles roles, LocalSteps local, Map<String, String> configured) {
        this(db, roles, local, configured, (reads, service, endpoint) -> CallSecrets.NONE);
    }

    private Services(Db db, SagaRoles roles, LocalSteps local, Map<String, String> configured, SecretSource secrets) {
        this.db = db;
        this.secrets = secrets;
        this.roles = roles;
        this.local = local;
        this.audit = new AuditLog(db);
        this.limits = new CallLimits(db);
        this.health = new ServiceHealth(db, roles);
        configured.forEach((name, endpoint) -> this.configured.put(
                name, new Service(name, Service.Origin.CONFIGURED, Endpoint.parse(endpoint), null, null, false)));
        targets = Caffeine.newBuilder()
                .expireAfterWrite(CACHE_TTL)
                .maximumSize(MAX_CACHED)
                .build(name -> db.read(reads -> target(reads, name)));
    }

    /** The place of a service that is not local, with the secrets of its calls, as of at most a second ago. */
    Optional<CallTarget> target(String name) {
        return targets.get(name);
    }

    /** Whether steps can call a service of this name. */
    public boolean exists(String name) {
        if (local.has(name) || target(name).isPresent()) {
            return true;
        }
        // It may have been registered just now.
        targets.invalidate(name);
        return target(name).isPresent();
    }

    private Optional<CallTarget> target(Reads reads, String name) {
        return store.find(reads, name)
                .or(() -> Optional.ofNullable(configured.get(name)))
                .flatMap(service -> Optional.ofNullable(service.endpoint())
                        .map(endpoint -> new CallTarget(
                                endpoint,
                                secrets.read(reads, name, endpoint),
                                !limitStore.find(reads, List.of(name)).isEmpty(),
                                service.async())));
    }

    /** As of at most a second ago. */
    boolean hasWorkers(String name) {
        return target(name).map(found -> found.endpoint().isWorker()).orElse(false);
    }

    /** As of at most a second ago. */
    boolean isLimited(String name) {
        return target(name).map(CallTarget::isLimited).orElse(false);
    }

    /** The calls of services, counted. */
    public ServiceHealth health() {
        return health;
    }

    CallLimits limits() {
        return limits;
    }

    /** The limits of these services; those without any are left out. */
    public Map<String, ServiceLimits> limits(Caller caller, List<Service> some) {
        roles.requireAuditor(caller);
        return db.read(
                reads -> limitStore.find(reads, some.stream().map(Service::name).toList()));
    }

    /** Sets the limits of a service's calls, which every node keeps within a second. */
    public void setLimits(Caller caller, String name, ServiceLimits set) {
        caller.requireAdmin();
        set.require();
        db.useTransaction(tx -> {
            hold(tx, name);
            tx.afterCommit(() -> forget(name));
            var before = limitStore.find(tx, List.of(name)).getOrDefault(name, ServiceLimits.NONE);
            if (set.equals(ServiceLimits.NONE)) {
                limitStore.delete(tx, name);
            } else {
                limitStore.save(tx, name, set, caller.actor().hex());
            }
            var changes = Changes.NONE
                    .with("maxConcurrent", before.maxConcurrent(), set.maxConcurrent())
                    .with("ratePerSecond", before.ratePerSecond(), set.ratePerSecond());
            audit.record(tx, caller, AuditLog.Action.SERVICE_LIMITS_SET, audited(name), changes);
        });
    }

    /** Lets the next call see what changed. */
    void forget(String name) {
        targets.invalidate(name);
    }

    /** The endpoint of a service that is not local, which a registered one keeps until {@code tx} ends. */
    Endpoint hold(Tx tx, String name) {
        if (local.has(name)) {
            throw SagaProblem.localService(name);
        }
        return store.hold(tx, name)
                .or(() -> Optional.ofNullable(configured.get(name)).map(Service::endpoint))
                .orElseThrow(() -> SagaProblem.noService(name));
    }

    public Service get(Caller caller, String name) {
        roles.requireAuditor(caller);
        return own(name)
                .or(() -> db.read(reads -> store.find(reads, name)))
                .or(() -> Optional.ofNullable(configured.get(name)))
                .orElseThrow(() -> SagaProblem.noService(name));
    }

    /** By name; {@code after} is the last name seen, empty at the start. */
    public List<Service> list(Caller caller, String after, int limit) {
        roles.requireAuditor(caller);
        var byName = new TreeMap<String, Service>(configured);
        db.read(reads -> store.list(reads, after, limit)).forEach(service -> byName.put(service.name(), service));
        local.services().forEach(name -> byName.put(name, ofThisProgram(name)));
        return byName.tailMap(after, false).values().stream().limit(limit).toList();
    }

    /** As below; whether it may answer later stays as it is. */
    public boolean put(Caller caller, String name, String endpoint) {
        return put(caller, name, endpoint, null);
    }

    /**
     * Registers the service or changes its endpoint for later calls; true if it is new. Credentials stay with the origin.
     *
     * @param async whether it may answer 202, and say later how a call ended; null to leave it as it is
     */
    public boolean put(Caller caller, String name, String endpoint, @Nullable Boolean async) {
        caller.requireAdmin();
        if (!NAME.matcher(name).matches()) {
            throw SagaProblem.invalid("name", Text.of("saga.field.service-name"));
        }
        var checked = endpoint(endpoint);
        if (Boolean.TRUE.equals(async) && !checked.isHttp()) {
            throw SagaProblem.invalid("async", Text.of("saga.field.async"));
        }
        requireFree(name);
        return db.inTransaction(tx -> {
            tx.afterCommit(() -> forget(name));
            var before = store.find(tx, name);
            boolean was = before.map(Service::async).orElse(false);
            boolean is = async == null ? was && checked.isHttp() : async;
            var changes = Changes.NONE
                    .with("endpoint", before.map(Service::endpoint).orElse(null), checked)
                    .with("async", was, is);
            boolean created = store.save(tx, name, checked, is, caller.actor().hex());
            secretStore.deleteCredentialsElsewhere(tx, name, checked.origin());
            audit.record(tx, caller, AuditLog.Action.SERVICE_SAVED, audited(name), changes);
            return created;
        });
    }

    /** Removes the service: steps that call it are retried until it is registered again or they give up. */
    public void delete(Caller caller, String name) {
        caller.requireAdmin();
        boolean deleted = db.inTransaction(tx -> {
            tx.afterCommit(() -> forget(name));
            var changes = Changes.NONE.with("endpoint", endpoint(tx, name), null);
            if (!store.delete(tx, name)) {
                return false;
            }
            secretStore.deleteCredentials(tx, name);
            secretStore.deleteAllSigning(tx, name);
            limitStore.delete(tx, name);
            audit.record(tx, caller, AuditLog.Action.SERVICE_DELETED, audited(name), changes);
            return true;
        });
        if (!deleted) {
            requireFree(name);
            throw SagaProblem.noService(name);
        }
    }

    private @Nullable Endpoint endpoint(Tx tx, String name) {
        return store.find(tx, name).map(Service::endpoint).orElse(null);
    }

    /** A service in the audit log. */
    static Target audited(String name) {
        return Target.of(TargetKind.SERVICE, name, name);
    }

    private void requireFree(String name) {
        if (local.has(name) || configured.containsKey(name)) {
            throw SagaProblem.fixedService(name);
        }
    }

    private Optional<Service> own(String name) {
        return Stream.of(name).filter(local::has).map(Services::ofThisProgram).findFirst();
    }

    private static Service ofThisProgram(String name) {
        return new Service(name, Service.Origin.LOCAL, null, null, null, false);
    }

    private static Endpoint endpoint(String text) {
        try {
            return Endpoint.parse(text);
        } catch (RefusedValueException e) {
            throw SagaProblem.invalid("endpoint", e.reason());
        }
    }
}
