package io.hiroba.knowledge.embedding;

import dev.langchain4j.model.embedding.onnx.OnnxBertBiEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * The English words that the model in the jar knows as a whole, some twenty thousand: a word that is not among them is rare, a name,
 * or misspelt.
 */
public final class EnglishWords {

    private static final String RESOURCE = "bge-small-en-v1.5-q-tokenizer.json";

    /** Read with the first word. */
    private static final class Loaded {
        static final Set<String> WORDS = read();
    }

    private EnglishWords() {}

    /** Whether {@code word}, in lower case, is one. */
    public static boolean contain(String word) {
        return Loaded.WORDS.contains(word);
    }

    private static Set<String> read() {
        try (var json = OnnxBertBiEncoder.class.getClassLoader().getResourceAsStream(RESOURCE)) {
            return JsonMapper.shared()
                    .readTree(Objects.requireNonNull(json, RESOURCE))
                    .path("model")
                    .path("vocab")
                    .propertyNames()
                    .stream()
                    .filter(word ->
                            word.length() > 1 && word.chars().allMatch(letter -> letter >= 'a' && letter <= 'z'))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
