package io.hiroba.saga.workflow;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.accounts.AccountLookup;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.workflow.WorkflowStore.Source;
import io.hiroba.saga.workflow.WorkflowStore.Stored;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registry of workflows with all their versions. */
public final class Workflows implements WorkflowLookup {

    private static final Logger log = LoggerFactory.getLogger(Workflows.class);
    private static final int MAX_CACHED = 1000;
    private static final String BUILT_IN = "hiroba";

    private final Db db;
    private final SagaRoles roles;
    private final AuditLog audit;
    private final AccountLookup accounts = new AccountLookup();
    private final WorkflowStore store = new WorkflowStore();

    /** A version never changes. */
    private final Cache<String, Workflow> versions =
            Caffeine.newBuilder().maximumSize(MAX_CACHED).build();

    public Workflows(Db db) {
        this.db = db;
        this.roles = new SagaRoles(db);
        this.audit = new AuditLog(db);
    }

    /**
     * The result of a registration.
     *
     * @param created whether it is a new version; otherwise the same text was registered before
     */
    public record Registration(WorkflowVersion version, boolean created) {}

    /**
     * A version with its text.
     *
     * @param workflow null if it can no longer be read
     */
    public record Details(
            WorkflowVersion version,
            String definition,
            @Nullable Workflow workflow) {}

    @Override
    public Optional<Workflow> find(String name, int version) {
        if (Workflow.isOfStep(name)) {
            return find(Workflow.registeredName(name), version).flatMap(workflow -> workflow.ofEach(name));
        }
        var known = versions.getIfPresent(key(name, version));
        return known != null ? Optional.of(known) : db.read(reads -> find(reads, name, version));
    }

    /** As above, on the caller's connection: waiting for a second one within a transaction could exhaust the pool. */
    @Override
    public Optional<Workflow> find(Reads reads, String name, int version) {
        if (Workflow.isOfStep(name)) {
            return find(reads, Workflow.registeredName(name), version).flatMap(workflow -> workflow.ofEach(name));
        }
        var known = versions.getIfPresent(key(name, version));
        return known != null
                ? Optional.of(known)
                : store.find(reads, name, version).flatMap(this::read);
    }

    private Optional<Workflow> read(Stored stored) {
        var version = stored.version();
        try {
            var workflow =
                    WorkflowReader.read(stored.definition(), version.format()).as(version.version());
            versions.put(key(version.name(), version.version()), workflow);
            return Optional.of(workflow);
        } catch (Problem e) {
            log.error("version {} of workflow {} cannot be read", version.version(), version.name(), e);
            return Optional.empty();
        }
    }

    private static String key(String name, int version) {
        return name + ":" + version;
    }

    /** The version that a new saga gets. */
    public Workflow newest(String name) {
        return db.read(reads -> newest(reads, name));
    }

    /** As above, on the caller's connection. */
    public Workflow newest(Reads reads, String name) {
        var head = store.head(reads, name).orElseThrow(() -> SagaProblem.noWorkflow(name));
        if (!head.enabled()) {
            throw SagaProblem.disabled(name);
        }
        return find(reads, name, head.version()).orElseThrow(() -> SagaProblem.noWorkflow(name));
    }

    /** The number of the newest version, also of a workflow that is disabled. */
    public Optional<Integer> newestVersion(Reads reads, String name) {
        return store.head(reads, name).map(WorkflowStore.Head::version);
    }

    @Override
    public Optional<Workflow> startable(Reads reads, String name) {
        return store.head(reads, name)
                .filter(WorkflowStore.Head::enabled)
                .flatMap(head -> find(reads, name, head.version()));
    }

    /** The newest version, if there is one that can be read. */
    public Optional<Workflow> current(Reads reads, String name) {
        return store.head(reads, name).flatMap(head -> find(reads, name, head.version()));
    }

    /** Whether sagas of it can be started. */
    public boolean isStartable(String name) {
        return db.read(reads -> startable(reads, name)).isPresent();
    }

    /** The models of the agents that have this nickname. */
    public Set<String> agentModels(String nickname) {
        return db.read(reads -> accounts.agentModels(reads, nickname));
    }

    /** Registers the files of a folder; an invalid one is a problem that names it. An empty path means none. */
    public void load(Path folder) {
        new WorkflowFolder(folder).load(this);
    }

    /** Registers a new version, unless the newest has the same text. Started sagas go on with their version. */
    public Registration register(Caller caller, String text, WorkflowFormat format) {
        caller.requireAdmin();
        var source = new Source(text, format, caller.actor().hex());
        return register(WorkflowReader.read(text, format), source, Optional.of(caller));
    }

    /** The version that somebody edits. */
    public record Edited(String name, int version) {}

    /** As above, of a text that was {@code edited}: refused where that is no longer the newest version. */
    public Registration register(Caller caller, String text, WorkflowFormat format, Edited edited) {
        caller.requireAdmin();
        var definition = WorkflowReader.read(text, format);
        requireOwn(definition);
        return save(
                definition,
                new Source(text, format, caller.actor().hex()),
                Optional.of(caller),
                Optional.of(edited).filter(each -> each.name().equals(definition.name())));
    }

    /**
     * The version that a text would become.
     *
     * @param created whether it would be a new version; otherwise it is the newest already
     */
    public record Preview(Workflow workflow, boolean created) {}

    /** Reads a text as {@link #register} does, with the same problems, and registers nothing. */
    public Preview preview(Caller caller, String text, WorkflowFormat format) {
        caller.requireAdmin();
        var definition = WorkflowReader.read(text, format);
        requireOwn(definition);
        var source = new Source(text, format, caller.actor().hex());
        requireNoEndlessCall(definition, source);
        return db.read(reads -> {
            requireAssignees(reads, definition.steps(), source);
            var newest = store.newest(reads, definition.name()).map(Stored::version);
            var same = registered(reads, definition, source);
            return same.map(version -> new Preview(definition.as(version.version()), false))
                    .orElseGet(() -> new Preview(definition.as(next(definition, newest)), true));
        });
    }

    /** Registers a built-in workflow, in YAML. Its name must be a reserved one, or anybody could start it. */
    public Registration registerBuiltIn(String text) {
        var definition = WorkflowReader.read(text, WorkflowFormat.YAML);
        if (!Workflow.isBuiltIn(definition.name())) {
            throw new IllegalArgumentException("not a reserved name: " + definition.name());
        }
        return save(definition, new Source(text, WorkflowFormat.YAML, BUILT_IN), Optional.empty(), Optional.empty());
    }

    /**
     * Registers a workflow that is not built in: it may neither have a reserved name nor call reserved services.
     *
     * @param caller none for the files of the server
     */
    Registration register(WorkflowDefinition definition, Source source, Optional<Caller> caller) {
        requireOwn(definition);
        return save(definition, source, caller, Optional.empty());
    }

    private static void requireOwn(WorkflowDefinition definition) {
        requireNotBuiltIn(definition.name());
        Workflow.reservedService(definition.steps()).ifPresent(service -> {
            throw SagaProblem.reservedService(service);
        });
        Workflow.reservedWorkflow(definition.steps()).ifPresent(workflow -> {
            throw SagaProblem.builtInWorkflow(workflow);
        });
    }

    private Registration save(
            WorkflowDefinition definition, Source source, Optional<Caller> caller, Optional<Edited> edited) {
        return db.inTransaction(tx -> {
            store.lock(tx, definition.name());
            var before = store.newest(tx, definition.name()).map(Stored::version);
            var registration = register(tx, definition, source);
            if (registration.created()) {
                before.filter(newest -> edited.isPresent()
                                && newest.version() != edited.get().version())
                        .ifPresent(newest -> {
                            throw SagaProblem.editedMeanwhile(newest.name(), newest.version());
                        });
            }
            if (registration.created()) {
                requireNoEndlessCall(definition, source);
                // A file may be deployed before its people have accounts: then the step says who is unknown.
                caller.ifPresent(_ -> requireAssignees(tx, definition.steps(), source));
                var after = registration.version();
                var changes = Changes.NONE
                        .with("version", before.map(WorkflowVersion::version).orElse(null), after.version())
                        .with("enabled", before.map(WorkflowVersion::enabled).orElse(null), after.enabled());
                caller.ifPresent(by ->
                        audit.record(tx, by, AuditLog.Action.WORKFLOW_REGISTERED, target(definition.name()), changes));
            }
            return registration;
        });
    }

    /** Each of its sagas would start another one, down to the last that may. */
    private static void requireNoEndlessCall(WorkflowDefinition definition, Source source) {
        var places = new StepPlaces(source);
        for (var step : definition.steps()) {
            if (step.work() instanceof Step.Children children
                    && children.workflow().equals(definition.name())
                    && children.forEach() == null
                    && step.when() == null) {
                places.error(
                        step.name(),
                        List.of("workflow"),
                        null,
                        Text.of("saga.definition.endless-call", "step", step.name()));
            }
        }
        places.check();
    }

    private void requireAssignees(Reads reads, List<Step> steps, Source source) {
        var places = new StepPlaces(source);
        for (var step : steps) {
            if (step.work() instanceof Step.Approval approval) {
                for (var key : List.of("assignees", "escalateTo")) {
                    Step.Approval.literal(key.equals("assignees") ? approval.assignees() : approval.escalateTo())
                            .forEach(name -> problem(reads, name)
                                    .ifPresent(reason ->
                                            places.error(step.name(), List.of("approval", key), name, reason)));
                }
                var named = approval.namedAssignees();
                var people = named.stream()
                        .flatMap(name -> roles.people(reads, name).stream())
                        .distinct();
                if (places.isEmpty() && !named.isEmpty() && people.count() < approval.quorum()) {
                    var reason = Text.of("saga.definition.quorum");
                    places.error(step.name(), List.of("approval", "quorum"), null, reason);
                }
            }
        }
        places.check();
    }

    /** What keeps somebody from being asked; empty if nothing does. */
    private Optional<Text> problem(Reads reads, String name) {
        if (SagaRoles.isRole(name)) {
            return Optional.empty();
        }
        var meant = roles.people(reads, name);
        if (meant.isEmpty()) {
            return Optional.of(Text.of("saga.field.assignee", "name", name));
        }
        return roles.agents(reads, meant).isEmpty()
                ? Optional.empty()
                : Optional.of(Text.of("saga.field.assignee-agent", "name", name));
    }

    private static Target target(String name) {
        return Target.of(TargetKind.WORKFLOW, name, name);
    }

    private Registration register(Tx tx, WorkflowDefinition definition, Source source) {
        var same = registered(tx, definition, source);
        if (same.isPresent()) {
            return new Registration(same.get(), false);
        }
        var newest = store.newest(tx, definition.name()).map(Stored::version);
        boolean enabled = definition.enabled() != null
                ? definition.enabled()
                : newest.map(WorkflowVersion::enabled).orElse(true);
        var inserted = store.insert(tx, definition, next(definition, newest), source, enabled);
        store.setEnabled(tx, definition.name(), enabled);
        return new Registration(inserted, true);
    }

    /** The version that has the same text: the newest, or the one that the text gives. */
    private Optional<WorkflowVersion> registered(Reads reads, WorkflowDefinition definition, Source source) {
        var given = Optional.ofNullable(definition.version());
        return store.newest(reads, definition.name())
                .filter(stored -> isSame(stored, source))
                .or(() -> given.flatMap(version -> store.find(reads, definition.name(), version))
                        .filter(stored -> isSame(stored, source)))
                .map(Stored::version);
    }

    /** The number of a new version; a new workflow may begin with any. */
    private static int next(WorkflowDefinition definition, Optional<WorkflowVersion> newest) {
        int last = newest.map(WorkflowVersion::version).orElse(0);
        var given = definition.version();
        if (given != null && last > 0 && given != last + 1) {
            throw SagaProblem.versionConflict(definition.name(), last, given);
        }
        return given == null ? last + 1 : given;
    }

    private static boolean isSame(Stored stored, Source source) {
        return stored.definition().equals(source.text()) && stored.version().format() == source.format();
    }

    /** Sets whether sagas may be started; those that were started go on. */
    public WorkflowVersion setEnabled(Caller caller, String name, boolean enabled) {
        caller.requireAdmin();
        requireNotBuiltIn(name);
        return db.inTransaction(tx -> {
            store.lock(tx, name);
            store.setEnabled(tx, name, enabled);
            var newest = store.newest(tx, name).orElseThrow(() -> SagaProblem.noWorkflow(name));
            var action = enabled ? AuditLog.Action.WORKFLOW_ENABLED : AuditLog.Action.WORKFLOW_DISABLED;
            audit.record(tx, caller, action, target(name));
            return newest.version();
        });
    }

    /** The newest version of each, by name, after {@code after}. */
    public List<WorkflowVersion> list(Caller caller, Optional<String> after, int limit) {
        roles.requireAuditor(caller);
        return db.read(reads -> store.list(reads, after.orElse(""), limit));
    }

    /** The versions of one, newest first, below {@code before}. */
    public List<WorkflowVersion> versions(Caller caller, String name, Optional<Integer> before, int limit) {
        roles.requireAuditor(caller);
        var found = db.read(reads -> store.versions(reads, name, before.orElse(Integer.MAX_VALUE), limit));
        if (found.isEmpty() && before.isEmpty()) {
            throw SagaProblem.noWorkflow(name);
        }
        return found;
    }

    /** One version of a workflow; the newest, if none is named. */
    public Details one(Caller caller, String name, Optional<Integer> version) {
        roles.requireAuditor(caller);
        var stored = db.read(reads ->
                        version.isPresent() ? store.find(reads, name, version.get()) : store.newest(reads, name))
                .orElseThrow(() -> version.map(number -> SagaProblem.noVersion(name, number))
                        .orElseGet(() -> SagaProblem.noWorkflow(name)));
        return new Details(stored.version(), stored.definition(), read(stored).orElse(null));
    }

    private static void requireNotBuiltIn(String name) {
        if (Workflow.isBuiltIn(name)) {
            throw SagaProblem.builtInWorkflow(name);
        }
    }
}
