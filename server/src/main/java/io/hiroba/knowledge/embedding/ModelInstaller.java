package io.hiroba.knowledge.embedding;

import ai.onnxruntime.OrtException;
import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import io.hiroba.knowledge.embedding.InstalledModels.InstalledModel;
import io.hiroba.knowledge.embedding.ModelSettings.Kind;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Installs models. Files are gathered and tried in a folder beside those of the models, which then gets its name in one
 * step: a model is there as a whole or not at all.
 */
final class ModelInstaller {

    private static final String STAGING = ".install-";
    /** An installation that was killed leaves its folder behind. */
    private static final Duration STALE = Duration.ofDays(1);

    private static final int SEARCH_DEPTH = 3;

    private final InstalledModels models;
    private final Consumer<Text> progress;

    ModelInstaller(InstalledModels models, Consumer<Text> progress) {
        this.models = models;
        this.progress = progress;
    }

    /**
     * A model to install.
     *
     * @param file the path of the model within its folder or archive, if that holds several; empty otherwise
     */
    record Order(String name, List<ModelSource> sources, String file, ModelSettings settings) {}

    InstalledModel install(Order order) throws ModelException, IOException {
        if (!InstalledModels.isName(order.name())) {
            throw new ModelException(Text.of("knowledge.models.bad-name", "name", order.name()));
        }
        var place = models.folder().resolve(order.name());
        if (Files.exists(place)) {
            throw new ModelException(Text.of("knowledge.models.already", "name", order.name()));
        }
        Files.createDirectories(models.folder());
        removeStale();
        var staging = Files.createTempDirectory(models.folder(), STAGING);
        try {
            var gathered = Files.createDirectory(staging.resolve("model"));
            gather(order, staging, gathered);
            progress.accept(Text.of("knowledge.models.trying"));
            var settings = order.settings().with(tried(gathered, order.settings()), checksums(gathered));
            settings.write(gathered);
            // Fails if somebody else was quicker: a folder that is not empty is not replaced.
            Files.move(gathered, place, StandardCopyOption.ATOMIC_MOVE);
            return new InstalledModel(order.name(), place, settings);
        } finally {
            delete(staging);
        }
    }

    void remove(InstalledModel model) throws IOException {
        // Under another name first, so that no half of a model is found if this is killed.
        var staging = Files.createTempDirectory(models.folder(), STAGING);
        Files.move(model.folder(), staging, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        delete(staging);
    }

    private void removeStale() throws IOException {
        try (var folders = Files.list(models.folder())) {
            for (var each : folders.toList()) {
                boolean isStale = Files.getLastModifiedTime(each)
                        .toInstant()
                        .isBefore(Instant.now().minus(STALE));
                if (isStale && String.valueOf(each.getFileName()).startsWith(STAGING)) {
                    delete(each);
                }
            }
        }
    }

    private void gather(Order order, Path staging, Path into) throws ModelException, IOException {
        var models = new ArrayList<Path>();
        var all = new ArrayList<Path>();
        try (var client = client()) {
            for (var source : order.sources()) {
                var folder = source.fetch(Files.createTempDirectory(staging, "from-"), client, progress);
                var files = files(folder);
                var onnx = files.stream()
                        .filter(file -> name(file).toLowerCase(Locale.ROOT).endsWith(".onnx"))
                        .toList();
                var chosen = onnx.size() > 1 ? chosen(onnx, folder, order.file()) : onnx;
                for (var each : chosen) {
                    source.checkModel(folder, each);
                }
                models.addAll(chosen);
                all.addAll(files);
            }
        }
        if (models.size() != 1) {
            throw new ModelException(Text.of("knowledge.models.no-model", "count", models.size()));
        }
        var model = models.getFirst();
        var tokenizer = all.stream()
                .filter(file -> file.endsWith(OnnxModel.TOKENIZER_FILE))
                .findFirst()
                .orElseThrow(() -> new ModelException(Text.of("knowledge.models.tokenizer-missing")));
        for (var file : all) {
            if (isDataOf(model, file) && !Files.exists(into.resolve(name(file)))) {
                put(file, into.resolve(name(file)), staging);
            }
        }
        put(model, into.resolve(OnnxModel.MODEL_FILE), staging);
        put(tokenizer, into.resolve(OnnxModel.TOKENIZER_FILE), staging);
    }

    private static HttpClient client() {
        return HttpClient.newBuilder()
                .followRedirects(Redirect.NORMAL)
                .connectTimeout(Duration.ofSeconds(20))
                .build();
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Whether a file holds weights of the model, which are outside of it if they are large: {@code model.onnx_data}. */
    private static boolean isDataOf(Path model, Path file) {
        return name(file).startsWith(name(model))
                && name(file).length() > name(model).length();
    }

    /** Copies a file, or moves it if it was fetched for this, and has it written to the disk. */
    private static void put(Path file, Path target, Path staging) throws IOException {
        if (file.startsWith(staging)) {
            Files.move(file, target);
        } else {
            Files.copy(file, target);
        }
        try (var channel = FileChannel.open(target, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var files = Files.walk(folder, SEARCH_DEPTH)) {
            return files.filter(Files::isRegularFile)
                    .sorted(Comparator.comparingInt(Path::getNameCount).thenComparing(Comparator.naturalOrder()))
                    .toList();
        }
    }

    /** Of several models in one folder, the one that was asked for, or else the one with the usual name. */
    private static List<Path> chosen(List<Path> onnx, Path folder, String asked) throws ModelException {
        var wanted = asked.isEmpty() ? OnnxModel.MODEL_FILE : asked;
        return onnx.stream()
                .filter(file -> folder.relativize(file).endsWith(Path.of(wanted)))
                .findFirst()
                .map(List::of)
                .orElseThrow(() -> new ModelException(Text.of(
                        "knowledge.models.several",
                        "files",
                        onnx.stream()
                                .map(file -> folder.relativize(file).toString())
                                .toList())));
    }

    /** Runs the model once; the answer is the length of its vectors. */
    private static int tried(Path folder, ModelSettings settings) throws ModelException, IOException {
        int words = vocabulary(folder.resolve(OnnxModel.TOKENIZER_FILE));
        try (var model = OnnxModel.load(folder, settings.maxTokens())) {
            if (!fits(model, words)) {
                throw new ModelException(Text.of("knowledge.models.wrong-tokenizer"));
            }
            return settings.kind() == Kind.RERANKER ? triedPair(model) : triedText(model, settings);
        }
    }

    private static int triedText(OnnxModel model, ModelSettings settings) throws ModelException {
        float[] vector;
        try {
            vector = OnnxEncoder.vector(model, settings, EmbeddingProvider.PROBE_TEXT, Purpose.PASSAGE);
        } catch (RuntimeException e) {
            throw new ModelException(Text.of("knowledge.models.fails"), e);
        }
        double squares = 0;
        for (float value : vector) {
            squares += (double) value * value;
        }
        if (vector.length < 2
                || vector.length > ModelSettings.MAX_DIMENSIONS
                || !Double.isFinite(squares)
                || squares == 0) {
            throw new ModelException(Text.of("knowledge.models.no-vector", "max", ModelSettings.MAX_DIMENSIONS));
        }
        return vector.length;
    }

    private static int triedPair(OnnxModel model) throws ModelException {
        try {
            var output = model.run(model.pair(EmbeddingProvider.PROBE_TEXT, EmbeddingProvider.PROBE_TEXT));
            if (output.values().length == 1 && Float.isFinite(output.values()[0])) {
                return 1;
            }
        } catch (OrtException | RuntimeException e) {
            throw new ModelException(Text.of("knowledge.models.fails"), e);
        }
        throw new ModelException(Text.of("knowledge.models.no-score"));
    }

    /**
     * Whether the model knows the tokenizer's last word, and does not know far more words: tables of words are rounded up,
     * but another model's tokenizer has another size.
     */
    private static boolean fits(OnnxModel model, int words) {
        return takes(model, words - 1L) && !takes(model, words + Math.max(2048L, words / 10));
    }

    private static boolean takes(OnnxModel model, long word) {
        try {
            model.run(new long[] {word}, new long[] {1}, new long[] {0});
            return true;
        } catch (OrtException e) {
            return false;
        }
    }

    /** The number of words in a tokenizer. */
    private static int vocabulary(Path tokenizer) throws ModelException, IOException {
        JsonNode tree;
        try (var content = Files.newInputStream(tokenizer)) {
            tree = JsonMapper.shared().readTree(content);
        } catch (JacksonException e) {
            throw new ModelException(Text.of("knowledge.models.no-tokenizer"), e);
        }
        var words = tree.path("model").path("vocab");
        int last = words.isObject()
                ? words.valueStream().mapToInt(word -> word.asInt(0)).max().orElse(-1)
                : words.size() - 1;
        int added = tree.path("added_tokens")
                .valueStream()
                .mapToInt(word -> word.path("id").asInt(0))
                .max()
                .orElse(-1);
        if (last < 0) {
            throw new ModelException(Text.of("knowledge.models.no-tokenizer"));
        }
        return Math.max(last, added) + 1;
    }

    private static String checksums(Path folder) throws IOException {
        var all = new StringBuilder();
        for (var file : files(folder)) {
            all.append(ModelSource.checksum(file)).append('\n');
        }
        return Sha256.hex(all.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
