package io.hiroba.agents;

import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.AiModels;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentMakerStore.Maker;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The facade of the right to make agents, which admins give to members, and of the models that they allow for these. The agents of a
 * member who has lost the right, or whose model is not allowed any more, answer nobody.
 */
final class AgentMakers {

    /** Each agent is an account, which stays when the agent is deleted. */
    static final int MAX_A_DAY = 20;

    private static final int MAX_MODELS = 200;

    private final Db db;
    private final InstantSource clock;
    private final AuditLog audit;
    private final AiModels models;
    private final int maxAgents;
    private final ModelServices services;
    private final AgentMakerStore store = new AgentMakerStore();

    AgentMakers(Db db, InstantSource clock, AuditLog audit, AiModels models, int maxAgents) {
        this(db, clock, audit, models, maxAgents, ModelServices.ANY);
    }

    /** @param maxAgents the most agents that a member may have */
    AgentMakers(Db db, InstantSource clock, AuditLog audit, AiModels models, int maxAgents, ModelServices services) {
        this.services = services;
        this.db = db;
        this.clock = clock;
        this.audit = audit;
        this.models = models;
        this.maxAgents = maxAgents;
    }

    /** Whether the caller may make agents of their own. */
    boolean mayMake(Caller caller) {
        return db.read(reads -> store.isMaker(reads, caller.user()));
    }

    boolean isMaker(Reads reads, UserId user) {
        return store.isMaker(reads, user);
    }

    /** Counts an agent that a member is about to make, or refuses it. */
    void admit(Tx tx, Caller caller) {
        var member = caller.user();
        requireMaker(tx, caller);
        if (store.agents(tx, member) >= maxAgents) {
            throw AgentsProblem.tooManyAgents(maxAgents);
        }
        var today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        if (!store.admit(tx, member, today, MAX_A_DAY)) {
            throw AgentsProblem.tooManyMade(MAX_A_DAY);
        }
    }

    /** Refuses a member who has no right to agents, or has lost it. */
    void requireMaker(Tx tx, Caller caller) {
        if (!store.lock(tx, caller.user())) {
            throw AgentsProblem.notMaker();
        }
    }

    /** Refuses a model that an agent of a member may not run on. */
    void requireAllowed(Reads reads, String model) {
        if (!mayRun(reads, model)) {
            throw AgentsProblem.invalid("model", Text.of("agents.field.member-model"));
        }
    }

    private boolean mayRun(Reads reads, String model) {
        return model.equals(Agent.LIBRARIAN) || store.isAllowed(reads, model);
    }

    /** Whether an agent may run on a model: one of a member only while admins allow it. */
    boolean allows(Agent agent, String model) {
        return agent.owner() == null || db.read(reads -> mayRun(reads, model));
    }

    /** The models that agents of members may run on, as far as they exist. */
    List<String> models() {
        return Stream.concat(
                        Stream.of(Agent.LIBRARIAN),
                        db.read(store::models).stream()
                                .filter(model -> models.find(model).isPresent()))
                .distinct()
                .toList();
    }

    /** The models that somebody can choose for an agent, with the one that it has, which may have been withdrawn. */
    List<String> choices(boolean isOfAdmins, @Nullable String its) {
        var offered = isOfAdmins ? Stream.concat(Stream.of(Agent.LIBRARIAN), names().stream()) : models().stream();
        return Stream.concat(offered.filter(this::hasService), Stream.ofNullable(its))
                .distinct()
                .toList();
    }

    /** The models with a price that may answer an agent in place of this one. */
    List<AiModel> standIns(Reads reads, Agent agent, String model) {
        return services.standIns().apply(model).stream()
                .flatMap(each -> models.find(reads, each.name()).or(() -> models.find(reads, each.model())).stream())
                .filter(each -> agent.owner() == null || mayRun(reads, each.name()))
                .toList();
    }

    /** Whether there is something that answers for a model. */
    boolean hasService(String model) {
        return model.equals(Agent.LIBRARIAN) || services.has().test(model);
    }

    /** The configured models that nobody can choose, since they have no price. */
    List<String> unpriced() {
        return services.missingIn(names());
    }

    /** The names of all models. */
    List<String> names() {
        return models.list("", MAX_MODELS).stream().map(AiModel::name).toList();
    }

    /** By the ids of the members; {@code after} is the last one seen. */
    List<Maker> list(Caller caller, Optional<UserId> after, int limit) {
        caller.requireAdmin();
        return db.read(reads -> store.list(reads, after.orElse(new UserId(0)), limit));
    }

    /** The person with this id or nickname, as somebody typed it; a nickname may be that of several. */
    UserId person(Caller caller, String typed) {
        caller.requireAdmin();
        var name = typed.strip();
        if (Ids.isId(name)) {
            return UserId.parse(name);
        }
        var found = db.read(reads -> store.named(reads, name));
        if (found.size() != 1) {
            throw AgentsProblem.invalid("user", Text.of("agents.field.person"));
        }
        return found.getFirst();
    }

    void grant(Caller caller, UserId user) {
        caller.requireAdmin();
        caller.requireNotActing();
        db.useTransaction(tx -> {
            if (store.grant(tx, user, caller.actor())) {
                audit.record(tx, caller, Action.AGENT_MAKER_ADDED, Target.of(user));
            } else if (!store.isMaker(tx, user)) {
                throw AgentsProblem.invalid("user", Text.of("agents.field.person"));
            }
        });
    }

    void revoke(Caller caller, UserId user) {
        caller.requireAdmin();
        caller.requireNotActing();
        db.useTransaction(tx -> {
            if (!store.revoke(tx, user)) {
                throw AgentsProblem.makerNotFound();
            }
            audit.record(tx, caller, Action.AGENT_MAKER_REMOVED, Target.of(user));
        });
    }

    /** The names of the models that admins have allowed, also of those that are deleted. */
    List<String> allowed(Caller caller) {
        caller.requireAdmin();
        return db.read(store::models);
    }

    void allow(Caller caller, String model) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            if (models.find(tx, model).isEmpty()) {
                throw AgentsProblem.invalid("model", Text.of("agents.field.model"));
            }
            if (store.allow(tx, model)) {
                audit.record(tx, caller, Action.MEMBER_MODEL_ALLOWED, target(model));
            }
        });
    }

    void withdraw(Caller caller, String model) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            if (!store.withdraw(tx, model)) {
                throw AgentsProblem.modelNotAllowed();
            }
            audit.record(tx, caller, Action.MEMBER_MODEL_WITHDRAWN, target(model));
        });
    }

    private static Target target(String model) {
        return Target.of(TargetKind.AI_MODEL, model, model);
    }
}
