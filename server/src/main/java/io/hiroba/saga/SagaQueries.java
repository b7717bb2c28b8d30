package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflows;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** Finds sagas and attempts for auditors, operators and admins. */
public final class SagaQueries {

    /** The longest range of a search that no index serves. */
    private static final Duration MAX_RANGE = Duration.ofDays(7);

    private final Db db;
    private final Workflows workflows;
    private final SagaRoles roles;
    private final SagaStore store = new SagaStore();
    private final SagaFamilyStore family = new SagaFamilyStore();
    private final StepLogStore steps = new StepLogStore();
    private final SagaSearchStore search = new SagaSearchStore();

    public SagaQueries(Db db, Workflows workflows, SagaRoles roles) {
        this.db = db;
        this.workflows = workflows;
        this.roles = roles;
    }

    /** The saga, with its payload. */
    public Optional<Saga> find(Caller caller, SagaId id) {
        roles.requireAuditor(caller);
        return db.read(reads -> store.find(reads, id));
    }

    /** The saga with its steps and the attempts at them, or {@code saga.not-found}. */
    public SagaDetails details(Caller caller, SagaId id) {
        roles.requireAuditor(caller);
        var found = db.read(reads -> store.withLog(reads, id)).orElseThrow(SagaProblem::notFound);
        var saga = found.saga();
        var workflow =
                workflows.find(saga.workflowName(), saga.workflowVersion()).orElse(null);
        var phases = new StepPhases(saga, workflow, found.log());
        boolean hasChildren =
                workflow != null && workflow.steps().stream().anyMatch(step -> step.work() instanceof Step.Children);
        var related = db.read(reads -> family.family(reads, id, hasChildren));
        return new SagaDetails(saga, workflow, phases.steps(), phases.waits(), found.leftOut(), related);
    }

    /** Sagas, newest first; {@code after} is the last one seen. */
    public List<Saga> list(Caller caller, SagaFilter filter, Optional<SagaId> after, int limit) {
        roles.requireAuditor(caller);
        return db.read(reads -> store.list(reads, filter, after.orElse(SagaStore.NEWEST), limit));
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
