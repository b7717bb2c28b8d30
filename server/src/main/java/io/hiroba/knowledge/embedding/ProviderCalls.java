package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Calls providers, measures the calls and validates the vectors. */
final class ProviderCalls {

    private final EmbeddingProviders providers;
    private final MeterRegistry meters;
    private final Tracing tracing;

    /** Within the traces of those who call. */
    ProviderCalls(EmbeddingProviders providers, MeterRegistry meters) {
        this(providers, meters, Tracing.OFF);
    }

    /** @param tracing begins a trace where the caller has none */
    ProviderCalls(EmbeddingProviders providers, MeterRegistry meters, Tracing tracing) {
        this.providers = providers;
        this.meters = meters;
        this.tracing = tracing;
    }

    /** The number of useful concurrent calls for {@code model}. */
    int concurrency(Model model, int max) {
        return Math.clamp(providers.of(model).concurrency(max), 1, max);
    }

    /** The number of texts per call for {@code model}. */
    int batch(Model model, int max) {
        return Math.clamp(providers.of(model).batch(max), 1, max);
    }

    /** Frees the memory of models that are not {@code used} by a space any more. */
    void unloadOthers(Set<Model> used) {
        providers.unloadOthers(used);
    }

    /** The vectors of {@code texts}, each of length 1, so that none is too large or too small for half precision. */
    List<float[]> embed(Model model, List<String> texts, Purpose purpose) throws ProviderException {
        var timer = Timer.start();
        var outcome = "ok";
        var span = tracing.begin("embeddings " + model.name(), TraceSpan.Kind.CLIENT)
                .set("gen_ai.operation.name", "embeddings")
                .set("gen_ai.provider.name", model.provider())
                .set("gen_ai.request.model", model.name())
                .set("hiroba.texts", texts.size());
        try {
            return span.<List<float[]>, ProviderException>within(
                    () -> checked(call(model, texts, purpose), texts.size(), model.dimensions()));
        } catch (ProviderException e) {
            outcome = e.fault().name();
            span.fail(outcome);
            throw e;
        } finally {
            span.end();
            timer.stop(Timer.builder("hiroba.knowledge.embedding.calls")
                    .description("Calls to providers of vectors")
                    .tag("provider", model.provider())
                    .tag("purpose", purpose.name().toLowerCase(Locale.ROOT))
                    .tag("outcome", outcome)
                    .register(meters));
        }
    }

    private List<float[]> call(Model model, List<String> texts, Purpose purpose) throws ProviderException {
        try {
            return providers.of(model).embed(texts, purpose);
        } catch (RuntimeException e) {
            throw new ProviderException(Fault.SERVER_ERROR, "the provider failed", null, e);
        }
    }

    private static List<float[]> checked(List<float[]> vectors, int count, int dimensions) throws ProviderException {
        if (vectors.size() != count) {
            throw new ProviderException(Fault.BAD_ANSWER, "%d vectors for %d texts".formatted(vectors.size(), count));
        }
        var checked = new ArrayList<float[]>(count);
        for (var vector : vectors) {
            if (vector.length != dimensions) {
                throw new ProviderException(
                        Fault.BAD_ANSWER, "a vector of %d instead of %d".formatted(vector.length, dimensions));
            }
            checked.add(unit(vector));
        }
        return checked;
    }

    private static float[] unit(float[] vector) throws ProviderException {
        double squares = 0;
        for (float value : vector) {
            squares += (double) value * value;
        }
        if (!Double.isFinite(squares) || squares == 0) {
            throw new ProviderException(Fault.BAD_ANSWER, "a vector that points nowhere");
        }
        double length = Math.sqrt(squares);
        var unit = new float[vector.length];
        for (int i = 0; i < vector.length; i++) {
            unit[i] = (float) (vector[i] / length);
        }
        return unit;
    }
}
