package io.hiroba.agents;

import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.RunDetails.Detail;
import io.hiroba.agents.RunFeedbackStore.ThumbCounts;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.id.Ids;
import java.util.List;

/**
 * The view of runs.
 *
 * @param more the address of older ones; empty if there are none
 */
public record RunList(List<RunCard> items, String more) {

    public RunList {
        items = List.copyOf(items);
    }

    /**
     * The view of a run.
     *
     * @param state the class of its state
     * @param caller their name; empty if they are gone
     * @param asked the beginning of the question; empty if it is not to be seen
     * @param reason why it did not answer; empty if it did
     * @param cause what failed, as the provider of the model says; empty if the reason says all
     * @param answer the address of the reply; empty if there is none
     */
    public record RunCard(
            String id,
            String path,
            String state,
            String stateText,
            String callerPath,
            String caller,
            String asked,
            String reason,
            String cause,
            String question,
            boolean isStep,
            String answer,
            String ago,
            String exact,
            String about,
            String thumbs,
            boolean isOpen) {

        static RunCard of(AgentRun run, Detail detail, ThumbCounts tally, Reader reader) {
            var reason = run.reason();
            return new RunCard(
                    Ids.hex(run.id()),
                    AgentPages.PATH + "/" + run.agent() + "/runs/" + Ids.hex(run.id()),
                    colour(run.state()),
                    reader.text("agents.state." + run.state().code()),
                    "/users/" + run.caller(),
                    detail.caller(),
                    detail.question(),
                    reason == null ? "" : reader.text("agents.reason." + reason.code()),
                    detail.cause(),
                    detail.questionPath(run),
                    run.wokenBy() == Wake.STEP,
                    run.answerPath(),
                    reader.ago(run.times().createdAt()),
                    reader.exact(run.times().createdAt()),
                    RunUsageText.of(run, reader),
                    AgentPages.thumbs(tally, reader),
                    !run.state().hasEnded());
        }

        private static String colour(State state) {
            return switch (state) {
                case WAITING, APPROVAL -> "waiting";
                case RUNNING -> "running";
                case ANSWERED -> "completed";
                case FAILED -> "failed";
                case REFUSED, STOPPED -> "partial";
            };
        }
    }
}
