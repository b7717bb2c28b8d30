package io.hiroba.agents.model;

import io.hiroba.agents.model.ModelFailure.Tokens;
import io.hiroba.agents.model.ModelMessage.ToolCall;
import io.hiroba.agents.model.ModelTurn.StopReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A turn of a model while it arrives. What the service sends is trusted in nothing. */
abstract class PartialTurn {

    private static final int MAX_CALLS = 64;

    /** Of UTF-8, a token is three bytes or more in most texts, so that this counts rather too many. */
    private static final int BYTES_OF_TOKEN = 3;

    private final Consumer<String> onText;
    private final StringBuilder text = new StringBuilder();
    private final List<PartialCall> calls = new ArrayList<>();
    private @Nullable StopReason stopReason;
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

    PartialTurn(Consumer<String> onText) {
        this.onText = onText;
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
            throw new ModelFailure("The model's service sent what is no JSON", true, null, e);
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

    /**
     * The whole turn.
     *
     * @param sent the size of the request, by which tokens are estimated where the service reports none: a budget must not be
     *     endless for that
     */
    final ModelTurn toTurn(int sent) throws ModelFailure {
        var reason = stopReason == null ? StopReason.END : stopReason;
        var tools = reason == StopReason.LENGTH || reason == StopReason.REFUSED ? List.<ToolCall>of() : toolCalls();
        if (!tools.isEmpty()) {
            reason = StopReason.TOOLS;
        } else if (reason == StopReason.TOOLS) {
            reason = StopReason.END;
        }
        if (reason == StopReason.END && text.isEmpty()) {
            var nothing = new ModelFailure("The model answered nothing", true, null, null);
            throw inputTokens > 0 || outputTokens > 0 ? nothing.having(new Tokens(inputTokens, outputTokens)) : nothing;
        }
        return new ModelTurn(
                text.toString(),
                tools,
                reason,
                inputTokens > 0 ? inputTokens : sent / BYTES_OF_TOKEN,
                outputTokens > 0 ? outputTokens : written() / BYTES_OF_TOKEN);
    }

    private long written() {
        long bytes = text.toString().getBytes(StandardCharsets.UTF_8).length;
        for (var call : calls) {
            bytes += call.input.length();
        }
        return bytes;
    }

    /** Also with arguments that are none: whoever uses the tools tells the model so. */
    private List<ToolCall> toolCalls() {
        return calls.stream()
                .map(call -> new ToolCall(
                        call.id, call.name.toString(), call.input.toString().isBlank() ? "{}" : call.input.toString()))
                .toList();
    }
}
