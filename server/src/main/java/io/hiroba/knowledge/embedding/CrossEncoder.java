package io.hiroba.knowledge.embedding;

import ai.onnxruntime.OrtException;
import java.util.function.ToDoubleBiFunction;

/** Scores from 0 to 1 how well a passage answers a query, by an installed model that reads both together. */
final class CrossEncoder implements ToDoubleBiFunction<String, String>, AutoCloseable {

    private final LoadedModel model;

    CrossEncoder(LoadedModel model) {
        this.model = model;
    }

    @Override
    public double applyAsDouble(String query, String passage) {
        return model.use(loaded -> score(loaded, query, passage));
    }

    /** The probability by the first logit. */
    static double score(OnnxModel model, String query, String passage) {
        try {
            return 1 / (1 + Math.exp(-model.run(model.pair(query, passage)).values()[0]));
        } catch (OrtException e) {
            throw new IllegalStateException("the model failed", e);
        }
    }

    @Override
    public void close() {
        model.close();
    }
}
