package io.hiroba.agents;

import io.hiroba.agents.AgentTools.Change;
import io.hiroba.agents.AgentTools.ToolAnswer;
import io.hiroba.agents.RunTools.Turn;
import io.hiroba.agents.model.ModelMessage.ToolCall;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostId;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Makes the calls of tools that a turn asks for. One of another server is interrupted when the run is stopped or its time is over. */
record ToolCalls(AgentTools tools, RunDrafts drafts) {

    /** The answer of a call to another server that is not known to have been answered. */
    static final String MAYBE_DONE =
            "It may have been done already: it was begun, and no answer is known. It is not repeated.";

    private static final Logger log = LoggerFactory.getLogger(ToolCalls.class);

    ToolAnswer use(Turn turn, ToolCall call) throws InterruptedException {
        var run = turn.run();
        return made(
                turn,
                call.tool(),
                "It was not answered.",
                () -> tools.use(call.tool(), call.input(), run.agent(), run.caller()));
    }

    ToolAnswer change(Turn turn, Change change) throws InterruptedException {
        return made(turn, change.tool(), MAYBE_DONE, () -> tools.change(change));
    }

    private ToolAnswer made(Turn turn, String tool, String otherwise, Callable<ToolAnswer> work)
            throws InterruptedException {
        @Nullable ToolAnswer answer = null;
        try {
            // Ours are not interrupted: a thread that works on the database must not be.
            answer = tools.isRemote(tool)
                    ? new StoppableCall(drafts, turn.claim(), new WakeSignal())
                            .await(work, turn.left().get(), () -> drafts.isHeld(turn.claim()))
                    : work.call();
        } catch (ExecutionException | TimeoutException e) {
            log.info("A call of the tool {} was not answered", tool, e);
        } catch (RuntimeException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return answer == null ? new ToolAnswer(otherwise, true) : answer;
    }

    /** The post that a call made: agents which it wakes know how deep they are. */
    static @Nullable PostId post(String tool, ToolAnswer answer) {
        if (answer.failed() || !tool.equals("posts_create")) {
            return null;
        }
        try {
            var id = JsonMapper.shared().readTree(answer.text()).path("id").asString("");
            return Ids.isId(id) ? PostId.parse(id) : null;
        } catch (JacksonException notJson) {
            return null;
        }
    }
}
