package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The AI models that agents can run on, managed by admins. */
public final class AiModels {

    private final Db db;
    private final InstantSource clock;
    private final AuditLog audit;
    private final AiStore store = new AiStore();

    AiModels(Db db, InstantSource clock, AuditLog audit) {
        this.db = db;
        this.clock = clock;
        this.audit = audit;
    }

    /** By name; {@code after} is the last name seen, empty at the start. */
    public List<AiModel> list(String after, int limit) {
        return db.read(reads -> store.list(reads, after, limit));
    }

    public AiModel get(String name) {
        return find(name).orElseThrow(AccountsProblem::aiModelNotFound);
    }

    public Optional<AiModel> find(String name) {
        return db.read(reads -> store.find(reads, name));
    }

    /** The numbers of agents that run on these models, counted up to a thousand each. */
    public Map<String, Integer> agents(List<String> names) {
        return db.read(reads -> store.agents(reads, names));
    }

    /** Creates a model that is built in, unless there is one of its name, in the caller's transaction. */
    public void ensure(Tx tx, AiModel model) {
        if (store.find(tx, model.name()).isEmpty()) {
            store.save(tx, model, clock.instant());
        }
    }

    /** As {@link #find(String)}, in the caller's transaction. */
    public Optional<AiModel> find(Reads reads, String name) {
        return store.find(reads, name);
    }

    /** Creates or replaces the model; true if it is new. */
    public boolean save(Caller caller, AiModel model) {
        caller.requireAdmin();
        return db.inTransaction(tx -> {
            var before = store.find(tx, model.name());
            boolean created = store.save(tx, model, clock.instant());
            var changes = Changes.NONE
                    .with("inputCost", before.map(AiModel::inputCost).orElse(null), model.inputCost())
                    .with("outputCost", before.map(AiModel::outputCost).orElse(null), model.outputCost())
                    .with("description", before.map(AiModel::description).orElse(null), model.description());
            audit.record(tx, caller, AuditLog.Action.AI_MODEL_SAVED, target(model.name()), changes);
            return created;
        });
    }

    /** Deletes the model; agents that ran on it are left without one. */
    public void delete(Caller caller, String name) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            if (!store.delete(tx, name)) {
                throw AccountsProblem.aiModelNotFound();
            }
            audit.record(tx, caller, AuditLog.Action.AI_MODEL_DELETED, target(name));
        });
    }

    private static Target target(String name) {
        return Target.of(TargetKind.AI_MODEL, name, name);
    }
}
