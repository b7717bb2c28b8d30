package io.hiroba.knowledge.embedding;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.onnxruntime.OrtException;
import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import io.hiroba.knowledge.embedding.ModelSettings.Pooling;
import io.hiroba.knowledge.embedding.OnnxModel.Output;
import java.util.Arrays;

/** An encoder by an installed model: of a text that is too long for it, the vectors of its parts are averaged. */
final class OnnxEncoder implements TextEncoder {

    private final LoadedModel model;
    private final ModelSettings settings;

    OnnxEncoder(LoadedModel model, ModelSettings settings) {
        this.model = model;
        this.settings = settings;
    }

    @Override
    public float[] encode(String text, Purpose purpose) {
        return model.use(loaded -> vector(loaded, settings, text, purpose));
    }

    /** The vector of {@code text}, of length 1. */
    static float[] vector(OnnxModel model, ModelSettings settings, String text, Purpose purpose) {
        var prefix = purpose == Purpose.QUERY ? settings.queryPrefix() : settings.passagePrefix();
        var parts = model.parts(prefix + text);
        // The prefix is there without a text as well.
        var bare = prefix.isEmpty() ? parts : model.parts(text);
        if (bare.stream().allMatch(OnnxEncoder::isEmpty)) {
            throw new IllegalArgumentException("there is no token in the text");
        }
        try {
            var sum = new float[0];
            for (var part : parts) {
                var vector = unit(vector(model, settings, part));
                sum = sum.length == 0 ? new float[vector.length] : sum;
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += vector[i] * part.getIds().length;
                }
            }
            return unit(sum);
        } catch (OrtException e) {
            throw new IllegalStateException("the model failed", e);
        }
    }

    private static boolean isEmpty(Encoding part) {
        return Arrays.stream(part.getSpecialTokenMask()).allMatch(special -> special == 1);
    }

    private static float[] vector(OnnxModel model, ModelSettings settings, Encoding part) throws OrtException {
        var output = model.run(part);
        return output.shape().length == 2
                ? output.values()
                : pooled(output, settings.pooling(), part.getAttentionMask());
    }

    private static float[] pooled(Output output, Pooling pooling, long[] mask) {
        int size = (int) output.shape()[2];
        int tokens = (int) output.shape()[1];
        var vector = new float[size];
        int last = tokens - 1;
        while (last > 0 && mask[last] == 0) {
            last--;
        }
        for (int token = 0; token < tokens; token++) {
            boolean counts = switch (pooling) {
                case CLS -> token == 0;
                case MEAN -> mask[token] != 0;
                case LAST -> token == last;
            };
            for (int i = 0; counts && i < size; i++) {
                vector[i] += output.values()[token * size + i];
            }
        }
        return vector;
    }

    private static float[] unit(float[] vector) {
        double squares = 0;
        for (float value : vector) {
            squares += (double) value * value;
        }
        double length = Math.sqrt(squares);
        for (int i = 0; i < vector.length && length > 0; i++) {
            vector[i] = (float) (vector[i] / length);
        }
        return vector;
    }

    @Override
    public void unload() {
        model.unload();
    }

    @Override
    public void close() {
        model.close();
    }
}
