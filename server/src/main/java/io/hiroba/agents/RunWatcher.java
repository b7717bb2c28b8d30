package io.hiroba.agents;

import io.hiroba.agents.RunDraftStore.LiveRun;
import io.hiroba.social.PostId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A reader of runs that is offered all those of a post whenever one may have changed, and sends what is new. */
abstract class RunWatcher {

    /** Rights are looked up so often while something is sent. */
    private static final Duration RECHECK = Duration.ofSeconds(1);

    private final Predicate<AgentRun> rights;
    private final Map<Long, Long> allowedAt = new HashMap<>();

    RunWatcher(Predicate<AgentRun> rights) {
        this.rights = rights;
    }

    /** Called with the runs of a post as they are now, the oldest first. */
    abstract void offer(PostId post, List<LiveRun> runs);

    /** Whether the reader may read what the run writes, or could a moment ago. */
    final boolean mayRead(AgentRun run) {
        long now = System.nanoTime();
        var last = allowedAt.get(run.id());
        if (last != null && now - last < RECHECK.toNanos()) {
            return true;
        }
        if (!rights.test(run)) {
            allowedAt.remove(run.id());
            return false;
        }
        allowedAt.put(run.id(), now);
        return true;
    }
}
