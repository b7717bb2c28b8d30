package io.hiroba.knowledge.embedding;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.SessionOptions;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.onnx.AbstractInProcessEmbeddingModel;
import dev.langchain4j.model.embedding.onnx.OnnxBertBiEncoder;
import dev.langchain4j.model.embedding.onnx.PoolingMode;
import dev.langchain4j.model.output.Response;
import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * The model in the jar. The library's own class runs as many threads as cores, which spin while they wait for one
 * another: on a busy machine that takes twice as long.
 */
final class LocalModel extends AbstractInProcessEmbeddingModel implements TextEncoder {

    private static final String NAME = "bge-small-en-v1.5-q";

    /** What the model was trained to read before a question; passages have nothing before them. */
    private static final String QUERY_PREFIX = "Represent this sentence for searching relevant passages: ";

    static {
        OnnxModel.disableTelemetry();
    }

    private final OnnxBertBiEncoder encoder;

    /** Counted with the first question; two threads count the same. */
    private volatile int prefixTokens;

    private LocalModel(OnnxBertBiEncoder encoder) {
        super(Runnable::run);
        this.encoder = encoder;
    }

    static LocalModel load() {
        return load(NAME);
    }

    static LocalModel load(String name) {
        var environment = OrtEnvironment.getEnvironment();
        try (var options = new SessionOptions();
                var model = resource(name + ".onnx");
                var tokenizer = resource(name + "-tokenizer.json")) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            var session = environment.createSession(model.readAllBytes(), options);
            return new LocalModel(new OnnxBertBiEncoder(environment, session, tokenizer, PoolingMode.CLS));
        } catch (OrtException e) {
            throw new IllegalStateException("The local model cannot be loaded", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream resource(String name) throws IOException {
        var stream = OnnxBertBiEncoder.class.getClassLoader().getResourceAsStream(name);
        if (stream == null) {
            throw new IOException(name + " is not on the class path");
        }
        return stream;
    }

    @Override
    public float[] encode(String text, Purpose purpose) {
        return purpose == Purpose.QUERY
                ? query(text)
                : embed(TextSegment.from(text)).content().vector();
    }

    /** A question without a token is refused as it would be without what stands before it. */
    private float[] query(String text) {
        if (prefixTokens == 0) {
            prefixTokens = tokens(embed(TextSegment.from(QUERY_PREFIX)));
        }
        var answer = embed(TextSegment.from(QUERY_PREFIX + text));
        if (tokens(answer) <= prefixTokens) {
            throw new IllegalArgumentException("there is no token in the text");
        }
        return answer.content().vector();
    }

    private static int tokens(Response<Embedding> answer) {
        return Objects.requireNonNull(answer.tokenUsage()).inputTokenCount();
    }

    @Override
    protected OnnxBertBiEncoder model() {
        return encoder;
    }
}
