package io.hiroba.agents.model;

import io.hiroba.agents.model.ModelTurn.StandIn;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A chat model that an agent thinks with: one call is one turn, which may ask for tools. */
public interface ModelClient {
    /** Calls the model and hands on its text while it comes, which begins with an empty one; the whole turn is the answer. */
    ModelTurn call(ModelRequest request, Consumer<String> onText) throws ModelFailure, InterruptedException;

    /** The models that may answer in its place. */
    default List<StandIn> standIns() {
        return List.of();
    }

    /** The same model, for which only some of them may answer: no other is told anything. */
    default ModelClient withStandIns(Predicate<StandIn> allowed) {
        return this;
    }
}
