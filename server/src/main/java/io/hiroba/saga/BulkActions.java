package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cancels, retries, signals or migrates all sagas that a filter finds, in the background. Each saga is a transaction with the progress of
 * the job: a node that dies leaves nothing half done, and another goes on.
 */
public final class BulkActions implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BulkActions.class);

    private static final int MAX_COUNT = 1000;

    /** The code for sagas at which the action failed unexpectedly; the log of the node says why. */
    private static final String FAILED = "saga.unexpected";

    private static final String ACTIVE = "STARTED,RUNNING";

    /** The actions that there are for many sagas at once. */
    public enum Action {
        CANCEL,
        RETRY,
        SIGNAL,
        MIGRATE
    }

    /**
     * A request for an action on all sagas that were started until now and that the filter finds.
     *
     * @param signal the name of the signal, if one is sent
     * @param payload what is sent with it
     * @param version the version of the workflow, if they are moved to one
     */
    public record Request(
            Action action,
            SagaFilter filter,
            @Nullable String signal,
            @Nullable JsonNode payload,
            @Nullable Integer version) {

        public Request(Action action, SagaFilter filter, @Nullable String signal, @Nullable JsonNode payload) {
            this(action, filter, signal, payload, null);
        }
    }

    /**
     * The progress of a job.
     *
     * @param total how many sagas it found at first, up to a limit
     * @param more whether there were more
     * @param refused how many sagas it could not act on, since they had ended or gone on, for example
     * @param refusals these by the code of the problem
     */
    public record Job(
            UUID id,
            String action,
            String state,
            int total,
            boolean more,
            int done,
            int refused,
            Map<String, Integer> refusals,
            Instant createdAt,
            @Nullable Instant endedAt) {}

    private final Db db;
    private final Sagas sagas;
    private final SagaRoles roles;
    private final SagaStore store = new SagaStore();
    private final BulkJobStore jobs = new BulkJobStore();
    private final WakeSignal started = new WakeSignal();
    private @Nullable WorkLoop loop;

    BulkActions(Db db, Sagas sagas, SagaRoles roles) {
        this.db = db;
        this.sagas = sagas;
        this.roles = roles;
    }

    BulkActions open() {
        loop = WorkLoop.whenSignalled("saga bulk jobs", 1, started, WorkLoop.FALLBACK_POLL, this::work);
        return this;
    }

    /** The number of sagas that a request would act on, up to a limit. */
    public SagaQueries.Total count(Caller caller, Request request) {
        roles.requireOperator(caller);
        require(request);
        var statuses = List.of(statuses(request).split(",", -1));
        return db.read(reads -> {
            store.requireRange(reads, request.filter());
            if (!request.filter().attributes().isEmpty()) {
                // Not once for each status: a value that most sagas have would be read to its end for the few that go
                // on.
                var counted = store.counted(reads, filter(request, ""));
                return counted.total(request.filter().workflowName(), statuses, MAX_COUNT);
            }
            int all = 0;
            for (var status : statuses) {
                all += store.count(reads, filter(request, status), MAX_COUNT + 1);
            }
            return SagaQueries.Total.of(all, MAX_COUNT);
        });
    }

    /** Starts a job and returns once it is durable. */
    public Job start(Caller caller, Request request) {
        var total = count(caller, request);
        var job = db.inTransaction(tx -> {
            var id = jobs.insert(tx, request, statuses(request), total, caller.actor());
            return jobs.find(tx, id).orElseThrow(SagaProblem::noBulkJob);
        });
        started.raise();
        return job;
    }

    public Job find(Caller caller, UUID id) {
        roles.requireAuditor(caller);
        return db.read(reads -> jobs.find(reads, id)).orElseThrow(SagaProblem::noBulkJob);
    }

    /** Stops a job after the saga that it is acting on; what was done stays. */
    public Job stop(Caller caller, UUID id) {
        roles.requireOperator(caller);
        return db.inTransaction(tx -> {
            jobs.end(tx, id, "STOPPED");
            return jobs.find(tx, id).orElseThrow(SagaProblem::noBulkJob);
        });
    }

    /** Acts on one saga of a job; whether there may be more to do. */
    boolean work() {
        return db.inTransaction(tx -> {
            var claimed = jobs.claim(tx).orElse(null);
            if (claimed == null) {
                return false;
            }
            var id = claimed.job().id();
            var role = roles.current(tx, Set.of(claimed.by())).get(claimed.by());
            if (role == null || !role.covers(SagaRole.OPERATOR)) {
                jobs.end(tx, id, "STOPPED");
                return true;
            }
            var first = claimed.statuses().split(",", -1)[0];
            var after = claimed.position() == null ? SagaStore.NEWEST : claimed.position();
            var found = store.list(tx, filter(claimed.request(), first), after, 1);
            if (!found.isEmpty()) {
                var saga = found.getFirst().id();
                jobs.acted(tx, id, saga, refusal(tx, caller(claimed.by(), role), claimed.request(), saga));
            } else if (claimed.statuses().contains(",")) {
                jobs.nextStatus(tx, id, claimed.statuses().substring(first.length() + 1));
            } else {
                jobs.end(tx, id, "DONE");
            }
            return true;
        });
    }

    /** Acts on a saga; the code of the problem if it could not, and then the saga is as it was. */
    private @Nullable String refusal(Tx tx, Caller caller, Request request, SagaId saga) {
        try {
            tx.attempt(() -> act(tx, caller, request, saga));
            return null;
        } catch (Problem refused) {
            return refused.code();
        } catch (RuntimeException e) {
            if (e instanceof DbException && SqlState.isTransient(e)) {
                throw e;
            }
            // Tried again it would fail again, and hold up all jobs.
            log.warn("{} of saga {} in a bulk job failed", request.action(), saga, e);
            return FAILED;
        }
    }

    private void act(Tx tx, Caller caller, Request request, SagaId saga) {
        var payload = request.payload();
        var version = request.version();
        switch (request.action()) {
            case CANCEL -> sagas.cancel(tx, caller, saga);
            case RETRY -> sagas.retry(tx, caller, saga);
            case SIGNAL ->
                sagas.signal(
                        tx,
                        caller,
                        saga,
                        String.valueOf(request.signal()),
                        payload == null ? JsonMapper.shared().createObjectNode() : payload);
            case MIGRATE -> sagas.migrate(tx, caller, saga, version == null ? 0 : version);
        }
    }

    private static Caller caller(UserId user, SagaRole role) {
        return new Caller(user, role == SagaRole.ADMIN, new Caller.ByServer(), null);
    }

    /** The statuses to look through: stuck and waiting sagas have indexes of their own, and sagas that have ended are of no use. */
    private static String statuses(Request request) {
        var status = request.filter().status();
        if (status != null) {
            return status.name();
        }
        if (request.filter().waiting()) {
            return SagaFilter.WAITING;
        }
        return request.action() == Action.RETRY || request.filter().stuck() ? "" : ACTIVE;
    }

    private static SagaFilter filter(Request request, String status) {
        var given = request.filter();
        boolean waiting = status.equals(SagaFilter.WAITING);
        return given.withStatus(status.isEmpty() || waiting ? null : SagaStatus.valueOf(status))
                .whereStuck(given.stuck() || request.action() == Action.RETRY)
                .whereWaiting(waiting);
    }

    /** Whether a filter finds only sagas that have ended, with which nothing can be done any more. */
    public static boolean isOver(SagaFilter filter) {
        return filter.status() != null && filter.status().isTerminal();
    }

    /** Whether a filter is narrow enough. */
    public static boolean covers(SagaFilter filter) {
        return filter.workflowName() != null
                || filter.correlationId() != null
                || filter.stuck()
                || filter.waiting()
                || filter.schedule() != null
                || filter.parent() != null
                || !filter.attributes().isEmpty();
    }

    private static void require(Request request) {
        var filter = request.filter();
        if (!covers(filter)) {
            throw SagaProblem.invalid("filter", Text.of("saga.field.bulk-filter"));
        }
        if (isOver(filter)) {
            throw SagaProblem.invalid("filter", Text.of("saga.field.bulk-ended"));
        }
        Sagas.requireLength("workflowName", filter.workflowName());
        Sagas.requireLength("correlationId", filter.correlationId());
        Sagas.requireLength("signal", request.signal());
        if ((request.action() == Action.SIGNAL)
                == (request.signal() == null || request.signal().isBlank())) {
            throw SagaProblem.invalid("signal", Text.of("saga.field.bulk-signal"));
        }
        if ((request.action() == Action.MIGRATE)
                != (request.version() != null && request.version() > 0 && filter.workflowName() != null)) {
            throw SagaProblem.invalid("version", Text.of("saga.field.bulk-version"));
        }
        if (request.payload() != null) {
            StorableJson.require("payload", request.payload());
        }
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        }
    }
}
