package io.hiroba.agents.model;

import io.hiroba.agents.model.ModelFailure.Tokens;
import io.hiroba.agents.model.ModelMessage.ToolCall;
import io.hiroba.agents.model.ModelTurn.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A turn of a model while it arrives. What the service sends is trusted in nothing. */
abstract class PartialTurn {

    private static final int MAX_CALLS = 64;

    private final ModelRequest request;
    private final Consumer<String> onText;
    private final StringBuilder text = new StringBuilder();
    private final List<PartialCall> calls = new ArrayList<>();
    private @Nullable StopReason stopReason;
    private boolean begun;
    private long inputTokens;
    private long outputTokens;

    /** A tool call of which the name and a part of the input have arrived. */
    static final class PartialCall {

        private final String id;
        private final StringBuilder name = new StringBuilder();
        private final StringBuilder input = new StringBuilder();

        private PartialCall(String id) {
            this.id = id;
        }

        String id() {
            return id;
        }

        void name(String given) {
            if (name.isEmpty()) {
                name.append(given);
            }
        }

        void input(String part) {
            // A NUL cannot be stored.
            input.append(part.replace("\0", ""));
        }
    }

    PartialTurn(ModelRequest request, Consumer<String> onText) {
        this.request = request;
        this.onText = onText;
    }

    /** Says that the model answers: from now on the call is paid for. Whoever listens is told by a text without a character. */
    final void begin() {
        if (!begun) {
            begun = true;
            onText.accept("");
        }
    }

    /** Takes the data of an event; true if it was the last one. */
    final boolean take(String data) throws ModelFailure {
        if (isEnd(data)) {
            return true;
        }
        JsonNode event;
        try {
            event = ModelApi.JSON.readTree(data);
        } catch (JacksonException e) {
            begin();
            throw new ModelFailure("The model's service sent what is no JSON", true, null, e);
        }
        if (!event.has("error")) {
            begin();
        }
        return take(event);
    }

    /** Whether these data, which need not be JSON, end the answer. */
    boolean isEnd(String data) {
        return false;
    }

    abstract boolean take(JsonNode event) throws ModelFailure;

    final void say(String part) {
        // A NUL cannot be stored.
        var clean = part.replace("\0", "");
        if (!clean.isEmpty()) {
            text.append(clean);
            onText.accept(clean);
        }
    }

    final PartialCall call(String id) throws ModelFailure {
        if (calls.size() >= MAX_CALLS) {
            throw new ModelFailure("The model asked for more than " + MAX_CALLS + " tools at once", true, null, null);
        }
        var call = new PartialCall(id.isEmpty() ? "call_" + calls.size() : id);
        calls.add(call);
        return call;
    }

    final List<PartialCall> calls() {
        return calls;
    }

    final void stop(StopReason reason) {
        // A refusal stays one, whatever else the service says at the end.
        if (stopReason != StopReason.REFUSED) {
            stopReason = reason;
        }
    }

    /** Whether the service has said why the model stopped: then nothing is missing. */
    final boolean isStopped() {
        return stopReason != null;
    }

    final void inputTokens(long tokens) {
        inputTokens = Math.max(inputTokens, tokens);
    }

    final void outputTokens(long tokens) {
        outputTokens = Math.max(outputTokens, tokens);
    }

    /** The tokens so far, which are estimated where the service reports none; null while the model has not begun to answer. */
    final @Nullable Tokens taken() {
        return begun ? new Tokens(in(), Math.max(outputTokens, written())) : null;
    }

    /** The whole turn. */
    final ModelTurn toTurn() throws ModelFailure {
        var reason = stopReason == null ? StopReason.END : stopReason;
        var tools = reason == StopReason.LENGTH || reason == StopReason.REFUSED ? List.<ToolCall>of() : toolCalls();
        if (!tools.isEmpty()) {
            reason = StopReason.TOOLS;
        } else if (reason == StopReason.TOOLS) {
            reason = StopReason.END;
        }
        if (reason == StopReason.END && text.isEmpty()) {
            throw new ModelFailure("The model answered nothing", true, null, null);
        }
        return new ModelTurn(text.toString(), tools, reason, in(), outputTokens > 0 ? outputTokens : written());
    }

    /** A budget must not be endless where the service reports no tokens. */
    private long in() {
        return inputTokens > 0 ? inputTokens : request.estimatedTokens();
    }

    private long written() {
        long tokens = TokenEstimate.of(text.toString());
        for (var call : calls) {
            tokens += TokenEstimate.of(call.input.toString());
        }
        return tokens;
    }

    /** Also with arguments that are none: whoever uses the tools tells the model so. */
    private List<ToolCall> toolCalls() {
        return calls.stream()
                .map(call -> new ToolCall(
                        call.id, call.name.toString(), call.input.toString().isBlank() ? "{}" : call.input.toString()))
                .toList();
    }
}
