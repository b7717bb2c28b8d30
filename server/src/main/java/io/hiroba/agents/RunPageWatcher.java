package io.hiroba.agents;

import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.RunDraftStore.LiveRun;
import io.hiroba.agents.RunDraftStore.RunDraft;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.social.PostId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A page that shows posts: it is sent the runs that are carried out, with all of their text as HTML, and how they end. */
final class RunPageWatcher extends RunWatcher {

    /** A run that ended so recently may have been open when the page was made. */
    private static final Duration RECENT = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final BiConsumer<String, String> channel;
    private final Map<Long, Sent> sent = new HashMap<>();

    /** The part of a run that is compared with what was sent. */
    private record Sent(PostId post, State state, long fence, RunDraft draft) {}

    /** The data of an event. */
    private record RunEvent(
            String id,
            @Nullable String agentId,
            String postId,
            String state,
            String html,
            @Nullable String tool,
            @Nullable String replyId) {}

    /** @param channel takes the name and the JSON of an event */
    RunPageWatcher(InstantSource clock, BiConsumer<String, String> channel, Predicate<AgentRun> rights) {
        super(rights);
        this.clock = clock;
        this.channel = channel;
    }

    @Override
    synchronized void offer(PostId post, List<LiveRun> runs) {
        Set<Long> present = new HashSet<>();
        for (var live : runs) {
            present.add(live.run().id());
            var now = new Sent(post, live.run().state(), live.fence(), live.draft());
            var before = sent.get(live.run().id());
            if (now.equals(before) || (before == null && isOld(live.run()))) {
                continue;
            }
            if (mayRead(live.run())) {
                sent.put(live.run().id(), now);
                send(live);
            }
        }
        forget(post, present);
    }

    private boolean isOld(AgentRun run) {
        var endedAt = run.times().endedAt();
        return endedAt != null && endedAt.isBefore(clock.instant().minus(RECENT));
    }

    private void send(LiveRun live) {
        var run = live.run();
        var reply = run.reply();
        var draft = live.draft();
        var event = new RunEvent(
                Ids.hex(run.id()),
                run.agent().hex(),
                run.post().hex(),
                run.state().code(),
                Markdown.parse(draft.text()).html(),
                draft.tool(),
                reply == null ? null : reply.hex());
        channel.accept("run", Json.text(event));
    }

    /** Tells of runs that were deleted with their agent. */
    private void forget(PostId post, Set<Long> present) {
        for (var entry : List.copyOf(sent.entrySet())) {
            if (entry.getValue().post().equals(post) && !present.contains(entry.getKey())) {
                sent.remove(entry.getKey());
                var id = Ids.hex(entry.getKey());
                channel.accept("run", Json.text(new RunEvent(id, null, post.hex(), "deleted", "", null, null)));
            }
        }
    }
}
