package io.hiroba.knowledge.embedding;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.platform.id.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The settings of an installed model, as its {@code model.yaml} holds them.
 *
 * @param queryPrefix the words that the model expects before a query
 * @param maxTokens the length of the parts in which a longer text is read
 * @param dimensions the length of its vectors; 1 for a reranker
 * @param files the checksum of the model's files
 */
record ModelSettings(
        Kind kind,
        Pooling pooling,
        String queryPrefix,
        String passagePrefix,
        int maxTokens,
        int dimensions,
        String files) {

    /** The longest vector that can be indexed. */
    static final int MAX_DIMENSIONS = 4000;

    static final int MIN_TOKENS = 8;
    static final int MAX_TOKENS = 32_768;

    private static final String FILE = "model.yaml";

    /** Attention takes memory by the square of the length, so models that take 8,192 tokens read parts of these. */
    private static final int LONG = 1024;

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    /** The purpose of a model. */
    enum Kind {
        /** Makes vectors of texts. */
        @JsonProperty("encoder")
        ENCODER,
        /** Reads a query and a passage together and scores the pair. */
        @JsonProperty("reranker")
        RERANKER
    }

    /** The way from the vectors of tokens to that of a text. */
    enum Pooling {
        @JsonProperty("cls")
        CLS,
        @JsonProperty("mean")
        MEAN,
        @JsonProperty("last")
        LAST
    }

    private record Preset(Pattern name, ModelSettings settings) {}

    /** The first that is found in a name counts. */
    private static final List<Preset> PRESETS = List.of(
            preset("rerank|ms-marco|cross-encoder", Kind.RERANKER, Pooling.CLS, "", "", 512),
            preset("ruri-v3", Pooling.MEAN, "検索クエリ: ", "検索文書: ", LONG),
            preset("ruri", Pooling.MEAN, "クエリ: ", "文章: ", 512),
            preset("(?<![a-z])e5-(?!.*instruct)", Pooling.MEAN, "query: ", "passage: ", 512),
            preset("bge-m3", Pooling.CLS, "", "", LONG),
            preset("bge-", Pooling.CLS, "", "", 512),
            preset("granite-embedding.*-r2", Pooling.CLS, "", "", LONG),
            preset("granite-embedding", Pooling.CLS, "", "", 512),
            preset("gte-(multilingual|modernbert)|gte-.*-v1\\.5", Pooling.CLS, "", "", LONG),
            preset("gte-", Pooling.MEAN, "", "", 512),
            preset("paraphrase-multilingual-minilm", Pooling.MEAN, "", "", 128),
            preset("minilm", Pooling.MEAN, "", "", 256));

    ModelSettings {
        if (maxTokens < MIN_TOKENS || maxTokens > MAX_TOKENS) {
            throw new IllegalArgumentException(
                    "max-tokens must be between %d and %d".formatted(MIN_TOKENS, MAX_TOKENS));
        }
    }

    private static Preset preset(String name, Pooling pooling, String queryPrefix, String passagePrefix, int tokens) {
        return preset(name, Kind.ENCODER, pooling, queryPrefix, passagePrefix, tokens);
    }

    private static Preset preset(
            String name, Kind kind, Pooling pooling, String queryPrefix, String passagePrefix, int tokens) {
        return new Preset(
                Pattern.compile(name, Pattern.CASE_INSENSITIVE),
                new ModelSettings(kind, pooling, queryPrefix, passagePrefix, tokens, 1, ""));
    }

    /** The settings of a known model by its name, and the most usual ones for others. */
    static ModelSettings of(String name) {
        return PRESETS.stream()
                .filter(preset -> preset.name().matcher(name).find())
                .map(Preset::settings)
                .findFirst()
                .orElse(new ModelSettings(Kind.ENCODER, Pooling.MEAN, "", "", 512, 1, ""));
    }

    ModelSettings with(int found, String checksum) {
        return new ModelSettings(kind, pooling, queryPrefix, passagePrefix, maxTokens, found, checksum);
    }

    /** Reads the settings of the model in {@code folder}. */
    static ModelSettings read(Path folder) throws IOException {
        try {
            return YAML.readValue(Files.readString(folder.resolve(FILE)), ModelSettings.class);
        } catch (JacksonException e) {
            throw new IOException(folder.resolve(FILE) + " is damaged", e);
        }
    }

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve(FILE), YAML.writeValueAsString(this));
    }

    /** A short checksum of all that a vector depends on: two nodes with the same one make the same vectors. */
    String fingerprint() {
        var all = String.join("\n", files, pooling.name(), queryPrefix, passagePrefix, String.valueOf(maxTokens));
        return Sha256.hex(all.getBytes(StandardCharsets.UTF_8)).substring(0, 8);
    }
}
