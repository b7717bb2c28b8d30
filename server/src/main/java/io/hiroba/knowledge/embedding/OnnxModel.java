package io.hiroba.knowledge.embedding;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.TensorInfo;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/** An ONNX model with its tokenizer. It may be run by several threads at once, each of which computes alone (ADR 34). */
final class OnnxModel implements AutoCloseable {

    static final String MODEL_FILE = "model.onnx";
    static final String TOKENIZER_FILE = "tokenizer.json";

    private static final Set<String> INPUTS = Set.of("input_ids", "attention_mask", "token_type_ids", "position_ids");

    /** Outputs that hold the vector of a text or those of its tokens, the better ones first. */
    private static final List<String> OUTPUTS =
            List.of("sentence_embedding", "dense_vecs", "logits", "last_hidden_state", "token_embeddings");

    private final OrtEnvironment environment;
    private final OrtSession session;
    private final HuggingFaceTokenizer tokenizer;
    private final Map<String, OnnxJavaType> inputs;
    private final String output;

    static {
        disableTelemetry();
    }

    private OnnxModel(
            OrtEnvironment environment,
            OrtSession session,
            HuggingFaceTokenizer tokenizer,
            Map<String, OnnxJavaType> inputs,
            String output) {
        this.environment = environment;
        this.session = session;
        this.tokenizer = tokenizer;
        this.inputs = inputs;
        this.output = output;
    }

    /** Keeps the library of tokenizers from reporting its use to its makers. */
    static void disableTelemetry() {
        System.setProperty("ai.djl.offline", "true");
        System.setProperty("OPT_OUT_TRACKING", "true");
    }

    /**
     * Numbers in the order of their axes.
     *
     * @param shape one text, its tokens if there are vectors of each, and the length of a vector
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Output(float[] values, long[] shape) {}

    /** Loads the model in {@code folder}, whose external data, if any, is found beside it. */
    static OnnxModel load(Path folder, int maxTokens) throws ModelException {
        var tokenizer = tokenizer(folder, maxTokens);
        try {
            return load(folder, tokenizer);
        } catch (ModelException | RuntimeException e) {
            tokenizer.close();
            throw e;
        }
    }

    private static OnnxModel load(Path folder, HuggingFaceTokenizer tokenizer) throws ModelException {
        var environment = OrtEnvironment.getEnvironment();
        try (var options = new SessionOptions()) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
            var session = environment.createSession(folder.resolve(MODEL_FILE).toString(), options);
            try {
                return new OnnxModel(environment, session, tokenizer, inputs(session), output(session));
            } catch (ModelException | OrtException | RuntimeException e) {
                session.close();
                throw e;
            }
        } catch (OrtException e) {
            throw new ModelException(Text.of("knowledge.models.no-onnx"), e);
        }
    }

    private static HuggingFaceTokenizer tokenizer(Path folder, int maxTokens) throws ModelException {
        var options = Map.of(
                "truncation", "true",
                "padding", "false",
                "maxLength", String.valueOf(maxTokens),
                "modelMaxLength", String.valueOf(maxTokens),
                "withOverflowingTokens", "true");
        try {
            return HuggingFaceTokenizer.newInstance(folder.resolve(TOKENIZER_FILE), options);
        } catch (IOException | RuntimeException e) {
            throw new ModelException(Text.of("knowledge.models.no-tokenizer"), e);
        }
    }

    private static Map<String, OnnxJavaType> inputs(OrtSession session) throws ModelException, OrtException {
        var inputs = new HashMap<String, OnnxJavaType>();
        for (var input : session.getInputInfo().entrySet()) {
            if (!INPUTS.contains(input.getKey()) || !(input.getValue().getInfo() instanceof TensorInfo info)) {
                throw new ModelException(Text.of("knowledge.models.unknown-input", "input", input.getKey()));
            }
            inputs.put(input.getKey(), info.type);
        }
        return inputs;
    }

    private static String output(OrtSession session) {
        var names = session.getOutputNames();
        return OUTPUTS.stream()
                .filter(names::contains)
                .findFirst()
                .orElseGet(() -> names.iterator().next());
    }

    /** The text in parts that the model can take, with the tokens that it expects around each. */
    List<Encoding> parts(String text) {
        var first = tokenizer.encode(text, true, true);
        var parts = new ArrayList<Encoding>();
        parts.add(first);
        parts.addAll(Arrays.asList(first.getOverflowing()));
        return parts;
    }

    /** Both texts as one input; of what is too long for the model the end is left out. */
    Encoding pair(String query, String passage) {
        return tokenizer.encode(query, passage, true, false);
    }

    Output run(Encoding text) throws OrtException {
        return run(text.getIds(), text.getAttentionMask(), text.getTypeIds());
    }

    /** Runs the model on tokens by their numbers. */
    Output run(long[] ids, long[] mask, long[] types) throws OrtException {
        var tensors = new HashMap<String, OnnxTensor>();
        try {
            for (var input : inputs.entrySet()) {
                var values = switch (input.getKey()) {
                    case "input_ids" -> ids;
                    case "attention_mask" -> mask;
                    case "token_type_ids" -> types;
                    default -> LongStream.range(0, ids.length).toArray();
                };
                tensors.put(input.getKey(), tensor(values, input.getValue()));
            }
            try (var result = session.run(tensors, Set.of(output))) {
                var buffer = result.get(0) instanceof OnnxTensor tensor ? tensor.getFloatBuffer() : null;
                if (buffer == null) {
                    throw new OrtException("The output is not of numbers");
                }
                var values = new float[buffer.remaining()];
                buffer.get(values);
                return new Output(values, ((OnnxTensor) result.get(0)).getInfo().getShape());
            }
        } finally {
            tensors.values().forEach(OnnxTensor::close);
        }
    }

    private OnnxTensor tensor(long[] values, OnnxJavaType type) throws OrtException {
        long[] shape = {1, values.length};
        return type == OnnxJavaType.INT32
                ? OnnxTensor.createTensor(
                        environment,
                        IntBuffer.wrap(
                                Arrays.stream(values).mapToInt(Math::toIntExact).toArray()),
                        shape)
                : OnnxTensor.createTensor(environment, LongBuffer.wrap(values), shape);
    }

    @Override
    public void close() {
        tokenizer.close();
        try {
            session.close();
        } catch (OrtException e) {
            throw new IllegalStateException(e);
        }
    }
}
