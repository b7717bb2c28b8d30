package io.hiroba.saga.workflow;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.platform.db.Db;
import io.hiroba.saga.SagaProblem;
import java.util.Optional;

/** The workflows that are registered, with all their versions. */
public final class Workflows implements Definitions {

    private static final int REMEMBERED = 1000;

    private final Db db;
    private final WorkflowStore store = new WorkflowStore();

    /** A version never changes. */
    private final Cache<String, Workflow> versions =
            Caffeine.newBuilder().maximumSize(REMEMBERED).build();

    public Workflows(Db db) {
        this.db = db;
    }

    @Override
    public Optional<Workflow> find(String name, int version) {
        var key = name + ":" + version;
        var known = versions.getIfPresent(key);
        if (known != null) {
            return Optional.of(known);
        }
        var read = db.read(reads -> store.find(reads, name, version))
                .map(stored -> WorkflowReader.read(stored.definition(), stored.version()));
        read.ifPresent(workflow -> versions.put(key, workflow));
        return read;
    }

    /** The version that a new saga gets. */
    public Workflow newest(String name) {
        var head = db.read(reads -> store.newest(reads, name)).orElseThrow(() -> SagaProblem.noWorkflow(name));
        if (!head.enabled()) {
            throw SagaProblem.disabled(name);
        }
        return find(name, head.version()).orElseThrow(() -> SagaProblem.noWorkflow(name));
    }
}
