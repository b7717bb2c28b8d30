package io.hiroba.agents.model;

import java.util.function.Consumer;

/** A chat model that an agent thinks with: one call is one turn, which may ask for tools. */
public interface ModelClient {
    /** Calls the model and hands on its text while it comes, which begins with an empty one; the whole turn is the answer. */
    ModelTurn call(ModelRequest request, Consumer<String> onText) throws ModelFailure, InterruptedException;
}
