package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.ModelSettings.Kind;
import io.hiroba.knowledge.embedding.ModelSettings.Pooling;
import io.hiroba.platform.StartException;
import io.hiroba.platform.i18n.Language;
import io.hiroba.testkit.Square;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models from outside; the files are those of the model in the program. */
@Tag("slow")
class ModelsCommandTest {

    private static final int WORDS = 30_522;

    @TempDir
    private static Path outside;

    private static Path model = Path.of("");
    private static Path tokenizer = Path.of("");

    @TempDir
    private Path data;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void takeFilesOutside() throws IOException {
        model = Path.of(TestEmbedding.resource("bge-small-en-v1.5-q.onnx", outside.resolve("model.onnx")));
        tokenizer = Path.of(
                TestEmbedding.resource("bge-small-en-v1.5-q-tokenizer.json", outside.resolve("tokenizer.json")));
    }

    private int run(Set<String> configured, String answer, String... args) {
        out.reset();
        err.reset();
        return new ModelsCommand(
                        data,
                        configured,
                        Language.ENGLISH,
                        new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(args));
    }

    private void install(String... args) {
        assertThat(run(Set.of(), "", args))
                .as(() -> err.toString(StandardCharsets.UTF_8))
                .isZero();
    }

    /** Refused in one sentence, with nothing left behind. */
    private void refused(String why, String... args) throws IOException {
        assertThat(run(Set.of(), "", args)).isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(why).hasLineCount(1);
        assertThat(left()).isEmpty();
    }

    private List<Path> left() throws IOException {
        if (!Files.exists(data.resolve("models"))) {
            return List.of();
        }
        try (var files = Files.list(data.resolve("models"))) {
            return files.toList();
        }
    }

    private LocalProvider provider(String name) {
        var installed = new InstalledModels(data).find(name).orElseThrow();
        return new LocalProvider(new OnnxEncoder(new LoadedModel(installed), installed.settings()));
    }

    private static float[] vector(EmbeddingProvider provider, String text, Purpose purpose) throws ProviderException {
        return provider.embed(List.of(text), purpose).getFirst();
    }

    private static Path zip(Path file, String... names) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.setLevel(Deflater.NO_COMPRESSION);
            for (var name : names) {
                zip.putNextEntry(new ZipEntry(name));
                Files.copy(name.endsWith(".json") ? tokenizer : model, zip);
            }
        }
        return file;
    }

    @Test
    void aModelFromAFolderMakesTheVectorsThatItMadeInTheProgram() throws Exception {
        install(
                "install",
                "from-outside",
                "--from",
                outside.toString(),
                "--sha256=" + ModelSource.checksum(model),
                "--pooling=cls");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--knowledge.embedding.model=from-outside");
        var installed = new InstalledModels(data).find("from-outside").orElseThrow();
        assertThat(installed.settings().dimensions()).isEqualTo(384);
        var config = TestEmbedding.config(1, 1, Duration.ZERO);
        try (var inside = new LocalProvider();
                var providers =
                        new ConfiguredProviders(config, new InstalledModels(data), InstantSource.system(), null)) {
            var here = providers.of(installed.model());
            for (var text : List.of("Cats purr when they are content.", "A long sentence about cats. ".repeat(80))) {
                assertThat(TestEmbedding.similarity(
                                vector(here, text, Purpose.PASSAGE), vector(inside, text, Purpose.PASSAGE)))
                        .isGreaterThan(text.length() < 100 ? 0.9999 : 0.98);
            }
            assertThatThrownBy(() -> here.embed(List.of("\u200b"), Purpose.QUERY))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            failure -> assertThat(failure.fault()).isEqualTo(ProviderException.Fault.TEXT_REFUSED));
            assertThatThrownBy(() -> providers
                            .of(new Model("onnx", "from-outside@00000000", 384))
                            .embed(List.of("other files"), Purpose.QUERY))
                    .as("other files under the same name make other vectors")
                    .isInstanceOf(ProviderException.class);
        }
    }

    @Test
    void aModelComesFromAnArchiveOrFromAddressesWithTheirChecksums() throws Exception {
        var archive = zip(outside.resolve("e5.zip"), "multilingual-e5-small/onnx/model.onnx", "e5/tokenizer.json");
        install("install", "zipped", "--from", archive.toString(), "--sha256", ModelSource.checksum(archive));
        install(
                "install",
                "multilingual-e5-small",
                "--from",
                model.toUri().toString(),
                "--sha256",
                ModelSource.checksum(model),
                "--from",
                tokenizer.toUri().toString(),
                "--sha256",
                ModelSource.checksum(tokenizer));
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("fetching model.onnx: 50 %");
        assertThat(run(Set.of("zipped"), "", "list")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "multilingual-e5-small: encoder of 384 dimensions, 34.7 MB, not in use",
                        "zipped: encoder of 384 dimensions, 34.7 MB, in use");
        try (var plain = provider("zipped");
                var prefixed = provider("multilingual-e5-small")) {
            assertThat(vector(prefixed, "cats", Purpose.QUERY))
                    .containsExactly(vector(plain, "query: cats", Purpose.QUERY));
            assertThat(vector(prefixed, "cats", Purpose.PASSAGE))
                    .containsExactly(vector(plain, "passage: cats", Purpose.PASSAGE));
        }
    }

    @Test
    void whatDoesNotFitIsRefusedInOneSentenceAndLeavesNothingBehind() throws Exception {
        var folder = Files.createDirectory(data.resolve("given"));
        var tiny = folder.resolve("model.onnx");
        TinyCrossEncoder.write(tiny, WORDS);
        var wrong = "0".repeat(64);
        var address = tiny.toUri().toString();
        refused("tokenizer.json", "install", "m", "--from", tiny.toString());
        refused("has the checksum", "install", "m", "--from", folder.toString(), "--sha256", wrong);
        refused("has the checksum", "install", "m", "--from", address, "--sha256", wrong);
        refused("needs its checksum", "install", "m", "--from", address);
        refused("https or file", "install", "m", "--from", "http://127.0.0.1:1/model.onnx", "--sha256", wrong);
        refused(
                "no file or folder",
                "install",
                "m",
                "--from",
                folder.resolve("none").toString());
        refused("no name", "install", "../m", "--from", folder.toString());
        refused("--pooling sum", "install", "m", "--from", folder.toString(), "--pooling", "sum");
        refused("one score", "install", "m", "--from", outside.toString(), "--kind", "reranker");

        Files.writeString(folder.resolve("tokenizer.json"), "no JSON");
        refused("not a tokenizer", "install", "m", "--from", folder.toString());
        Files.copy(tokenizer, folder.resolve("tokenizer.json"), StandardCopyOption.REPLACE_EXISTING);
        refused("2 to 4,000 numbers", "install", "m", "--from", folder.toString());
        Files.writeString(tiny, "no protocol buffer");
        refused("not an ONNX file", "install", "m", "--from", folder.toString());
        for (int words : new int[] {100, 2 * WORDS}) {
            TinyCrossEncoder.write(tiny, words);
            refused("does not fit", "install", "m", "--from", folder.toString(), "--kind", "reranker");
        }
        for (var name : List.of("../outside.json", "/tmp/outside.json", "a/../../outside.json")) {
            var slipping = zip(data.resolve("slip.zip"), "tokenizer.json", name);
            refused("outside of its folder", "install", "m", "--from", slipping.toString());
        }
        assertThat(data.resolve("models").resolve("outside.json")).doesNotExist();
        refused(
                "not a ZIP",
                "install",
                "m",
                "--from",
                Files.writeString(data.resolve("no.zip"), "PK?").toString());
    }

    @Test
    void aModelInUseIsNotRemovedAndOthersAfterAQuestion() throws Exception {
        install("install", "bge-copy", "--from", outside.toString());
        assertThat(run(Set.of(), "", "install", "bge-copy", "--from", outside.toString()))
                .isEqualTo(1);
        assertThat(run(Set.of("bge-copy"), "y\n", "remove", "bge-copy")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("in use by the configuration");
        try (var provider = provider("bge-copy")) {
            assertThat(vector(provider, "cats", Purpose.QUERY)).hasSize(384);
            assertThat(run(Set.of(), "y\n", "remove", "bge-copy")).isEqualTo(1);
            assertThat(err.toString(StandardCharsets.UTF_8)).contains("in use by a running server");
        }
        assertThat(run(Set.of(), "n\n", "remove", "bge-copy")).isEqualTo(1);
        assertThat(new InstalledModels(data).list()).hasSize(1);
        assertThat(run(Set.of(), "y\n", "remove", "bge-copy")).isZero();
        assertThat(left()).isEmpty();
        assertThatThrownBy(() -> new InstalledModels(data).require("bge-copy", Kind.ENCODER))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("The model bge-copy is not installed");
    }

    @Test
    void aCrossEncoderReadsBothTextsTogether() throws Exception {
        installReranker();
        var installed = new InstalledModels(data).require("tiny-reranker", Kind.RERANKER);
        try (var pairs = new CrossEncoder(new LoadedModel(installed))) {
            assertThat(Arrays.asList(
                            pairs.applyAsDouble("do cats hunt", "Dogs bark."),
                            pairs.applyAsDouble("do cats hunt", "Cats sleep."),
                            pairs.applyAsDouble("do cats hunt", "Cats hunt."),
                            pairs.applyAsDouble("do cats hunt", "Do cats hunt? " + "They may. ".repeat(1000))))
                    .as("of none, one, two and three common words")
                    .usingElementComparator((one, other) -> Math.abs(one - other) < 1e-4 ? 0 : 1)
                    .containsExactly(sigmoid(-2), sigmoid(-1), sigmoid(0), sigmoid(1));
        }
        assertThatThrownBy(() -> new InstalledModels(data).require("tiny-reranker", Kind.ENCODER))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("installed as a reranker");
    }

    private void installReranker() throws IOException {
        var folder = Files.createDirectory(data.resolve("given"));
        TinyCrossEncoder.write(folder.resolve("model.onnx"), WORDS);
        Files.copy(tokenizer, folder.resolve("tokenizer.json"));
        install("install", "tiny-reranker", "--from", folder.toString());
    }

    @Test
    void aNodeSearchesWithModelsThatWereInstalled() throws Exception {
        var installed = TestEmbedding.installModel(data, "from-outside");
        installReranker();
        try (var square = new Square(
                "--data=" + data,
                "--knowledge.embedding.provider=onnx",
                "--knowledge.embedding.model=from-outside",
                "--knowledge.rerank.provider=onnx",
                "--knowledge.rerank.model=tiny-reranker",
                "--knowledge.rerank.timeout=60s")) {
            var api = square.person("Ann").api();
            for (var text : List.of("Dogs bark.", "Cats hunt at night.")) {
                var note = "{'title': 'Pets', 'text': '%s', 'visibility': 'private'}".formatted(text);
                assertThat(api.post("/api/v1/knowledge/sources", note).outcome())
                        .isEqualTo("201");
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(square.admin
                                    .api()
                                    .get("/api/v1/knowledge/spaces")
                                    .json()
                                    .path("items"))
                            .singleElement()
                            .satisfies(space ->
                                    assertThat(space.path("model").asString()).isEqualTo(installed.name()))
                            .satisfies(space -> assertThat(space.path("progress")
                                            .path("embedded")
                                            .asInt())
                                    .isEqualTo(2)));
            var hits = api.post("/api/v1/knowledge/search", "{'query': 'do cats hunt at night'}")
                    .json()
                    .path("items");
            assertThat(hits.path(0).path("score").asDouble())
                    .as("of four common words")
                    .isCloseTo(sigmoid(2), Offset.offset(1e-4));
            var checks = square.admin.api().get("/api/v1/system").json().path("checks");
            assertThat(checks.findValuesAsString("value")).contains("from-outside, tiny-reranker");
        }
    }

    private static double sigmoid(double logit) {
        return 1 / (1 + Math.exp(-logit));
    }

    @ParameterizedTest
    @CsvSource({
        "multilingual-e5-small, MEAN, 'query: ', 512",
        "multilingual-e5-large-instruct, MEAN, '', 512",
        "bge-m3, CLS, '', 1024",
        "bge-small-zh-v1.5, CLS, '', 512",
        "granite-embedding-107m-multilingual, CLS, '', 512",
        "gte-multilingual-base, CLS, '', 1024",
        "gte-small, MEAN, '', 512",
        "paraphrase-multilingual-MiniLM-L12-v2, MEAN, '', 128",
        "ruri-v3-30m, MEAN, '検索クエリ: ', 1024",
        "something-else, MEAN, '', 512"
    })
    void knownModelsHaveTheirSettingsByName(String name, Pooling pooling, String prefix, int tokens) {
        var settings = ModelSettings.of(name);
        assertThat(settings.kind()).isEqualTo(Kind.ENCODER);
        assertThat(settings.pooling()).isEqualTo(pooling);
        assertThat(settings.queryPrefix()).isEqualTo(prefix);
        assertThat(settings.maxTokens()).isEqualTo(tokens);
        assertThat(ModelSettings.of("bge-reranker-v2-m3").kind()).isEqualTo(Kind.RERANKER);
    }
}
