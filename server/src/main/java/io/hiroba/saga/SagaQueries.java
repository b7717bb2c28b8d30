package io.hiroba.saga;

import io.hiroba.accounts.AccountLookup;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.saga.Approvals.Approval;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Finds sagas and attempts for auditors, operators and admins. */
public final class SagaQueries {

    /** The longest range of a search that no index serves. */
    private static final Duration MAX_RANGE = Duration.ofDays(7);

    private static final int MAX_COUNT = 1000;
    private static final int MAX_STUCK = 500;
    private static final int MAX_WORKFLOWS = 50;
    private static final int MAX_WORKFLOW_COUNT = 100;
    private static final Pattern USER_ID = Pattern.compile("[0-9A-F]{16}");

    private final Db db;
    private final Workflows workflows;
    private final SagaRoles roles;
    private final SavedFilters saved;
    private final SagaStore store = new SagaStore();
    private final ResolutionStore resolutions = new ResolutionStore();
    private final AccountLookup people = new AccountLookup();
    private final SagaFamilyStore family = new SagaFamilyStore();
    private final StepLogStore steps = new StepLogStore();
    private final SagaSearchStore search = new SagaSearchStore();
    private final SagaQueueStore queue = new SagaQueueStore();
    private final ApprovalStore approvals = new ApprovalStore();
    private final WorkflowUseStore use = new WorkflowUseStore();

    public SagaQueries(Db db, Workflows workflows, SagaRoles roles) {
        this.db = db;
        this.workflows = workflows;
        this.roles = roles;
        this.saved = new SavedFilters(db, roles);
    }

    /** The saved filters of people. */
    public SavedFilters saved() {
        return saved;
    }

    public SagaRoles roles() {
        return roles;
    }

    /** Who started a saga; empty if no person did, or it is archived. */
    Optional<UserId> initiator(SagaId id) {
        return db.read(reads -> store.find(reads, id))
                .map(Saga::initiatedBy)
                .filter(Ids::isId)
                .map(UserId::parse);
    }

    /** The saga, with its payload. */
    public Optional<Saga> find(Caller caller, SagaId id) {
        roles.requireAuditor(caller);
        return db.read(reads -> store.find(reads, id));
    }

    /** The saga with its steps and the attempts at them, or {@code saga.not-found}. */
    public SagaDetails details(Caller caller, SagaId id) {
        roles.requireAuditor(caller);
        return db.read(reads -> details(reads, id));
    }

    private SagaDetails details(Reads reads, SagaId id) {
        var found = store.withLog(reads, id).orElseThrow(SagaProblem::notFound);
        var resolved = resolutions.list(reads, id);
        var saga = found.saga();
        var workflow = workflows
                .find(reads, saga.workflowName(), saga.workflowVersion())
                .orElse(null);
        boolean hasTask = !saga.running() && !saga.status().isTerminal() && store.hasTaskUnderWay(reads, id);
        var phases = new StepPhases(saga, workflow, found.log(), hasTask);
        var attributes = workflow == null || workflow.attributes().isEmpty()
                ? Map.<String, String>of()
                : store.attributes(reads, id);
        var resolvable = workflow == null || Workflow.isBuiltIn(saga.workflowName())
                ? List.<String>of()
                : workflow.steps().stream()
                        .filter(step -> phases.resolvable(step) != null)
                        .map(Step::name)
                        .toList();
        return new SagaDetails(
                saga,
                workflow,
                phases.steps(),
                phases.waits(),
                found.leftOut(),
                resolvable,
                resolved,
                nicknames(reads, users(List.of(String.valueOf(saga.initiatedBy()))))
                        .get(String.valueOf(saga.initiatedBy())),
                attributes,
                result(found, workflow),
                openApprovals(reads, workflow, saga),
                family.family(reads, id, hasChildren(workflow)));
    }

    private List<Approval> openApprovals(Reads reads, @Nullable Workflow workflow, Saga saga) {
        boolean hasApprovals =
                workflow != null && workflow.steps().stream().anyMatch(step -> step.work() instanceof Step.Approval);
        return saga.status().isTerminal() || !hasApprovals
                ? List.of()
                : approvals.ofSaga(reads, saga.id()).stream()
                        .filter(each -> each.state() == Approvals.State.OPEN)
                        .toList();
    }

    private static boolean hasChildren(@Nullable Workflow workflow) {
        return workflow != null && workflow.steps().stream().anyMatch(step -> step.work() instanceof Step.Children);
    }

    /** What the output of the workflow makes of a completed saga; null where there is none, or what it needs is not there. */
    private static @Nullable JsonNode result(SagaStore.Logged found, @Nullable Workflow workflow) {
        if (workflow == null || workflow.output() == null || found.saga().status() != SagaStatus.COMPLETED) {
            return null;
        }
        var answers = new HashMap<String, JsonNode>();
        for (var each : found.log()) {
            if (each.action() == StepAction.EXECUTE && each.status() == StepStatus.SUCCESS && !each.leftOut()) {
                answers.put(
                        each.stepName(),
                        each.answer() == null ? JsonMapper.shared().nullNode() : each.answer());
            }
        }
        var payload = found.saga().payload();
        return workflow.result(payload == null ? JsonMapper.shared().nullNode() : payload, answers);
    }

    /** Sagas, newest first; {@code after} is the last one seen. */
    public List<Saga> list(Caller caller, SagaFilter filter, Optional<SagaId> after, int limit) {
        roles.requireAuditor(caller);
        return db.read(reads -> {
            requireTypes(reads, filter);
            store.requireRange(reads, filter);
            return store.list(reads, filter, after.orElse(SagaStore.NEWEST), limit);
        });
    }

    /** The values of attributes must be of the types that the workflow, if one is named, gives them now. */
    private void requireTypes(Reads reads, SagaFilter filter) {
        var name = filter.workflowName();
        if (name == null || filter.attributes().isEmpty()) {
            return;
        }
        workflows.current(reads, name).stream()
                .flatMap(workflow -> workflow.attributes().stream())
                .forEach(declared -> filter.attributes().stream()
                        .filter(each -> each.name().equals(declared.name()))
                        .forEach(each -> each.requireType(declared.type())));
    }

    /**
     * A number of sagas.
     *
     * @param more whether there are more than that, or may be among those that were not looked at
     */
    public record Total(int count, boolean more) {

        static Total of(int counted, int max) {
            return new Total(Math.min(counted, max), counted > max);
        }
    }

    /**
     * The numbers of sagas by status and by workflow, each counted up to a limit.
     *
     * @param statuses all of them and {@link SagaFilter#WAITING}, whatever status the filter has
     * @param workflows those that were registered, whatever workflow the filter has, up to {@link #MAX_WORKFLOWS}
     */
    public record Totals(Map<String, Total> statuses, Map<String, Total> workflows) {}

    /** The numbers of sagas that the filter finds, from a bounded look along the indexes of the lists. */
    public Totals totals(Caller caller, SagaFilter filter) {
        roles.requireAuditor(caller);
        var names = workflows.list(caller, Optional.empty(), MAX_WORKFLOWS).stream()
                .map(WorkflowVersion::name)
                .toList();
        return db.read(reads -> {
            if (!filter.attributes().isEmpty()) {
                return totals(store.counted(reads, filter), filter, names);
            }
            var statuses = new LinkedHashMap<String, Total>();
            for (var status : SagaStatus.values()) {
                var of = filter.whereWaiting(false).withStatus(status);
                statuses.put(status.name(), Total.of(store.count(reads, of, MAX_COUNT + 1), MAX_COUNT));
            }
            var waiting = filter.withStatus(null).whereWaiting(true);
            statuses.put(SagaFilter.WAITING, Total.of(store.count(reads, waiting, MAX_COUNT + 1), MAX_COUNT));
            var byWorkflow = new TreeMap<String, Total>();
            for (var name : names) {
                int counted = store.count(reads, filter.withWorkflow(name), MAX_WORKFLOW_COUNT + 1);
                if (counted > 0) {
                    byWorkflow.put(name, Total.of(counted, MAX_WORKFLOW_COUNT));
                }
            }
            return new Totals(statuses, byWorkflow);
        });
    }

    private static Totals totals(SagaStore.Counted counted, SagaFilter filter, List<String> names) {
        var statuses = new LinkedHashMap<String, Total>();
        for (var status : SagaStatus.values()) {
            statuses.put(status.name(), counted.total(filter.workflowName(), List.of(status.name()), MAX_COUNT));
        }
        statuses.put(SagaFilter.WAITING, counted.total(filter.workflowName(), List.of(SagaFilter.WAITING), MAX_COUNT));
        var given = filter.status();
        var wanted = filter.waiting() ? SagaFilter.WAITING : given == null ? "" : given.name();
        var byWorkflow = new TreeMap<String, Total>();
        for (var name : names) {
            var total = counted.total(name, List.of(wanted), MAX_WORKFLOW_COUNT);
            if (total.count() > 0) {
                byWorkflow.put(name, total);
            }
        }
        return new Totals(statuses, byWorkflow);
    }

    /** The newest sagas that are stuck on a call, by the service that was called. */
    public Map<String, List<SagaId>> stuckByService(Caller caller) {
        roles.requireAuditor(caller);
        return db.read(reads -> {
            var services = new TreeMap<String, List<SagaId>>();
            for (var stuck : queue.stuck(reads, MAX_STUCK)) {
                workflows
                        .find(reads, stuck.workflowName(), stuck.workflowVersion())
                        .filter(workflow -> stuck.step() < workflow.steps().size())
                        .map(workflow -> workflow.steps().get(stuck.step()).work())
                        .filter(Step.Call.class::isInstance)
                        .ifPresent(
                                work -> services.computeIfAbsent(((Step.Call) work).service(), _ -> new ArrayList<>())
                                        .add(stuck.id()));
            }
            return services;
        });
    }

    /** The newest version of the workflow of a saga, if the saga can be moved to it. */
    public Optional<Integer> newerVersion(Caller caller, Saga saga) {
        if (saga.status().isTerminal() || Workflow.isBuiltIn(saga.workflowName()) || !isOperator(caller)) {
            return Optional.empty();
        }
        return db.read(reads -> workflows.newestVersion(reads, saga.workflowName()))
                .filter(newest -> newest > saga.workflowVersion());
    }

    private boolean isOperator(Caller caller) {
        return roles.of(caller).covers(SagaRole.OPERATOR);
    }

    /** The sagas of a workflow that have not ended by version and status, from a look at the oldest of each status. */
    public Map<Integer, Map<SagaStatus, Total>> active(Caller caller, String workflow) {
        roles.requireAuditor(caller);
        return db.read(reads -> {
            var versions = new TreeMap<Integer, Map<SagaStatus, Total>>();
            for (var status : SagaStatus.values()) {
                if (!status.isTerminal()) {
                    var counted = use.versions(reads, workflow, status, MAX_COUNT);
                    boolean more =
                            counted.values().stream().mapToInt(each -> each).sum() == MAX_COUNT;
                    counted.forEach(
                            (version, count) -> versions.computeIfAbsent(version, _ -> new EnumMap<>(SagaStatus.class))
                                    .put(status, new Total(count, more)));
                }
            }
            return versions;
        });
    }

    /** The nicknames of those who started the sagas, by what {@link Saga#initiatedBy} says; without accounts that are gone. */
    public Map<String, String> initiators(Collection<Saga> sagas) {
        return nicknames(sagas.stream().map(Saga::initiatedBy).toList());
    }

    /** The nicknames of users by their ids; without accounts that are gone, and without what is no id. */
    public Map<String, String> nicknames(Collection<? extends @Nullable String> ids) {
        var users = users(ids);
        return users.isEmpty() ? Map.of() : db.read(reads -> nicknames(reads, users));
    }

    private static Map<UserId, String> users(Collection<? extends @Nullable String> ids) {
        var users = new HashMap<UserId, String>();
        for (var id : ids) {
            if (id != null && USER_ID.matcher(id).matches()) {
                users.put(UserId.parse(id), id);
            }
        }
        return users;
    }

    private Map<String, String> nicknames(Reads reads, Map<UserId, String> users) {
        var names = new HashMap<String, String>();
        people.nicknames(reads, users.keySet())
                .forEach((user, nickname) -> names.put(String.valueOf(users.get(user)), nickname));
        return names;
    }

    /** Sagas for the one search: by id or correlation id among all, otherwise by words among the newest. */
    List<Saga> search(Caller caller, String typed, SearchWords words, int limit) {
        roles.requireAuditor(caller);
        return db.read(reads -> {
            var found = new LinkedHashMap<SagaId, Saga>();
            SagaId.find(typed).flatMap(id -> store.find(reads, id)).ifPresent(saga -> found.put(saga.id(), saga));
            var correlated = new SagaFilter(null, null, typed, false);
            store.list(reads, correlated, SagaStore.NEWEST, limit).forEach(saga -> found.putIfAbsent(saga.id(), saga));
            if (found.isEmpty() && !words.isEmpty()) {
                search.search(reads, words, limit).forEach(saga -> found.put(saga.id(), saga));
            }
            return found.values().stream().limit(limit).toList();
        });
    }

    /** Attempts at steps, latest first; {@code after} is where the last page ended. */
    public List<FoundAttempt> steps(
            Caller caller, StepFilter filter, Optional<FoundAttempt.Position> after, int limit) {
        roles.requireAuditor(caller);
        if (!filter.from().isBefore(filter.to())) {
            throw SagaProblem.invalid("from", Text.of("saga.field.before-to"));
        }
        if (filter.readsItsTime() && filter.length().compareTo(MAX_RANGE) > 0) {
            throw SagaProblem.invalid("from", Text.of("saga.field.range", "days", MAX_RANGE.toDays()));
        }
        return db.read(reads -> steps.search(reads, filter, after, limit));
    }
}
