package io.hiroba.agents;

import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.RunDraftStore.LiveRun;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.Json;
import io.hiroba.social.PostId;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stream of one run: {@code delta} with text that replaces all from its offset on, {@code tool}, and at last {@code done} or
 * {@code refused}. A turn, and an attempt of another node, begins at offset 0 again.
 */
final class RunStreamWatcher extends RunWatcher {

    private final long id;
    private final EventStream stream;
    private long fence;
    private int turn;
    private String text = "";
    private @Nullable String tool;
    private boolean over;

    private record DeltaEvent(int attempt, int turn, int offset, String text) {}

    private record ToolEvent(int attempt, int turn, String tool) {}

    private record EndEvent(
            String state,
            @Nullable String reason,
            @Nullable String replyId,
            @Nullable String stoppedBy) {

        static EndEvent of(AgentRun run) {
            var reason = run.reason();
            var reply = run.reply();
            var stoppedBy = run.stoppedBy();
            return new EndEvent(
                    run.state().code(),
                    reason == null ? null : reason.code(),
                    reply == null ? null : reply.hex(),
                    stoppedBy == null ? null : stoppedBy.hex());
        }
    }

    RunStreamWatcher(long id, EventStream stream, Predicate<AgentRun> rights) {
        super(rights);
        this.id = id;
        this.stream = stream;
    }

    @Override
    synchronized void offer(PostId post, List<LiveRun> runs) {
        var found = runs.stream().filter(each -> each.run().id() == id).findFirst();
        if (over) {
            return;
        }
        if (found.isEmpty() || !mayRead(found.get().run())) {
            end();
        } else if (found.get().run().state().hasEnded()) {
            var state = found.get().run().state();
            boolean replied = state == State.ANSWERED || state == State.FAILED;
            send(replied ? "done" : "refused", EndEvent.of(found.get().run()));
            end();
        } else if (found.get().draft().turn() > 0 || isBegunAnew(found.get())) {
            write(found.get());
        }
    }

    /** Whether somebody else carries the run out now, who has written nothing yet. */
    private boolean isBegunAnew(LiveRun live) {
        return live.run().state() == State.RUNNING && live.fence() != fence && !text.isEmpty();
    }

    private void end() {
        over = true;
        stream.finish();
    }

    private void write(LiveRun live) {
        int attempt = live.run().attempts();
        var draft = live.draft();
        boolean anew = live.fence() != fence || draft.turn() != turn;
        var before = text;
        if (anew) {
            fence = live.fence();
            turn = draft.turn();
            tool = null;
        }
        if (anew || !draft.text().equals(before)) {
            int offset = anew || !draft.text().startsWith(before) ? 0 : before.length();
            text = draft.text();
            send("delta", new DeltaEvent(attempt, turn, offset, text.substring(offset)));
        }
        var used = draft.tool();
        if (used != null && !Objects.equals(used, tool)) {
            send("tool", new ToolEvent(attempt, turn, used));
        }
        tool = used;
    }

    private void send(String event, Object data) {
        stream.send("0", event, Json.text(data));
    }
}
