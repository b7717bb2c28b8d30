package io.hiroba.agents;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentPauseStore.Availability;
import io.hiroba.agents.AgentPauseStore.Switch;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facade of what keeps agents from answering: the switch for all, the pause of one, and quiet hours. Runs under way stop before they call a
 * model or a tool again, and what waits goes on afterwards unless it is ended.
 */
final class AgentPauses {

    private final Db db;
    private final InstantSource clock;
    private final AuditLog audit;
    private final WakeSignal due;
    private final AgentPauseStore store = new AgentPauseStore();
    private final AgentStore agents = new AgentStore();

    /** @param due is raised when runs can go on */
    AgentPauses(Db db, InstantSource clock, AuditLog audit, WakeSignal due) {
        this.db = db;
        this.clock = clock;
        this.audit = audit;
        this.due = due;
    }

    Switch all(Caller caller) {
        caller.requireAdmin();
        return db.read(store::find);
    }

    /** @param end whether the runs that have not ended are ended */
    Switch pauseAll(Caller caller, boolean end) {
        caller.requireAdmin();
        return db.inTransaction(tx -> {
            boolean changed = store.pauseAll(tx, true);
            int ended = end ? store.endRuns(tx, null) : 0;
            if (changed || ended > 0) {
                audit.record(tx, caller, Action.AGENTS_PAUSED, Target.NONE, ended(ended));
            }
            return store.find(tx);
        });
    }

    Switch resumeAll(Caller caller) {
        caller.requireAdmin();
        return db.inTransaction(tx -> {
            if (store.pauseAll(tx, false)) {
                audit.record(tx, caller, Action.AGENTS_RESUMED, Target.NONE);
                tx.afterCommit(due::raise);
            }
            return store.find(tx);
        });
    }

    /** @param end whether its runs that have not ended are ended */
    Availability pause(Caller caller, UserId agent, boolean end) {
        return db.inTransaction(tx -> {
            requireChangeable(tx, caller, agent);
            boolean changed = store.pause(tx, agent, caller.admin());
            int ended = end ? store.endRuns(tx, agent) : 0;
            if (changed || ended > 0) {
                audit.record(tx, caller, Action.AGENT_PAUSED, Target.of(agent), ended(ended));
            }
            return require(tx, agent);
        });
    }

    /** Its owner ends no pause of an admin. */
    Availability resume(Caller caller, UserId agent) {
        return db.inTransaction(tx -> {
            requireChangeable(tx, caller, agent);
            if (!caller.admin() && store.isPausedByAdmin(tx, agent)) {
                throw AgentsProblem.pausedByAdmin();
            }
            if (store.resume(tx, agent)) {
                audit.record(tx, caller, Action.AGENT_RESUMED, Target.of(agent));
                tx.afterCommit(due::raise);
            }
            return require(tx, agent);
        });
    }

    private static Changes ended(int runs) {
        return runs == 0 ? Changes.NONE : Changes.NONE.with("endedRuns", null, Integer.toString(runs));
    }

    /** @param quiet null for none; what waits for the former ones is looked at again */
    Availability setQuiet(Caller caller, UserId agent, @Nullable QuietHours quiet) {
        return db.inTransaction(tx -> {
            requireChangeable(tx, caller, agent);
            var before = require(tx, agent).quiet();
            store.setQuiet(tx, agent, quiet);
            store.lookAgain(tx, agent);
            audit.record(
                    tx,
                    caller,
                    Action.AGENT_CHANGED,
                    Target.of(agent),
                    Changes.NONE.with("quietHours", text(before), text(quiet)));
            tx.afterCommit(due::raise);
            return require(tx, agent);
        });
    }

    private static @Nullable String text(@Nullable QuietHours quiet) {
        return quiet == null ? null : "%s-%s %s".formatted(quiet.from(), quiet.until(), quiet.zone());
    }

    Availability of(UserId agent) {
        return db.read(reads -> require(reads, agent));
    }

    Map<UserId, Availability> of(Collection<UserId> agents) {
        return db.read(reads -> store.of(reads, agents));
    }

    /** Refuses whoever is neither an admin nor the owner of an agent, which stays as it is until {@code tx} ends. */
    private void requireChangeable(Tx tx, Caller caller, UserId agent) {
        agents.lock(tx, agent).orElseThrow(AgentsProblem::notFound).requireChangeableBy(caller);
    }

    private Availability require(Reads reads, UserId agent) {
        return Optional.ofNullable(store.of(reads, List.of(agent)).get(agent)).orElseThrow(AgentsProblem::notFound);
    }

    /** How long an agent is quiet from now on; none if it is not. */
    Optional<Duration> quietFor(UserId agent) {
        return db.read(reads -> store.quiet(reads, agent)).flatMap(quiet -> quiet.left(clock.instant()));
    }

    /** Deletes runs that ended longer ago. */
    void sweepRuns(Duration retention) {
        var before = clock.instant().minus(retention);
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.sweep(tx, before, limit)));
    }
}
