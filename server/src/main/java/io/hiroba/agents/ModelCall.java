package io.hiroba.agents;

import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.agents.RunDraftStore.RunDraft;
import io.hiroba.agents.model.ModelClient;
import io.hiroba.agents.model.ModelFailure;
import io.hiroba.agents.model.ModelRequest;
import io.hiroba.agents.model.ModelTurn;
import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A call of a model on a thread of its own, which is left alone if it does not end. What the model writes is published while it
 * comes, a few times a second; one that answers sooner publishes nothing.
 */
final class ModelCall {

    private static final Duration WRITE_INTERVAL = Duration.ofMillis(200);
    private static final int MAX_TEXT = 9_500;

    private final RunDrafts drafts;
    private final ClaimedRun claim;
    private final int turn;
    private final WakeSignal wake = new WakeSignal();
    private final StringBuilder text = new StringBuilder();
    private boolean spoke;
    private int written;

    ModelCall(RunDrafts drafts, ClaimedRun claim, int turn) {
        this.drafts = drafts;
        this.claim = claim;
        this.turn = turn;
    }

    /** The tokens that the model has written, as far as it is known; empty if it has not begun to answer. */
    synchronized OptionalLong received() {
        return spoke ? OptionalLong.of(ModelTurn.estimatedTokens(text.toString())) : OptionalLong.empty();
    }

    private synchronized void add(String more) {
        spoke = true;
        if (text.length() < MAX_TEXT) {
            text.append(more);
            wake.raiseIn(WRITE_INTERVAL);
        }
    }

    /**
     * Waits for the turn; null if the run was stopped meanwhile.
     *
     * @throws TimeoutException when the time of the request is over
     */
    @Nullable
    ModelTurn await(ModelClient client, ModelRequest request)
            throws ModelFailure, TimeoutException, InterruptedException {
        try {
            return new StoppableCall(drafts, claim, wake)
                    .await(() -> client.call(request, this::add), request.timeout(), this::goesOn);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ModelFailure failure) {
                throw failure;
            }
            // Without its message: that of a header that is refused holds the key.
            var failure = Objects.requireNonNullElse(e.getCause(), e);
            throw new ModelFailure("The client failed: " + failure.getClass().getSimpleName(), false, null, failure);
        }
    }

    private boolean goesOn() {
        var draft = unwritten();
        return draft == null ? drafts.isHeld(claim) : drafts.write(claim, draft);
    }

    private synchronized @Nullable RunDraft unwritten() {
        if (text.length() == written) {
            return null;
        }
        written = text.length();
        return new RunDraft(turn, RunContext.cut(text.toString(), MAX_TEXT), null);
    }
}
