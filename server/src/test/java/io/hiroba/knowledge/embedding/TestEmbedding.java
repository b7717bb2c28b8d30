package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.embedding.onnx.OnnxBertBiEncoder;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.embedding.EmbeddingConfig.Kind;
import io.hiroba.knowledge.embedding.EmbeddingWorker.Pace;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.config.SecretText;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.FakeProvider;
import io.hiroba.testkit.TestKnowledge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The embedding of chunks with a provider that can be told to fail, and little patience; closed, it leaves no chunks. */
final class TestEmbedding implements AutoCloseable {

    static final Pace PACE =
            new Pace(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofMillis(800), Duration.ofMillis(500));

    final TestKnowledge knowledge;
    final UserId owner;
    final FakeProvider provider = new FakeProvider();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final WakeSignal signal = new WakeSignal();
    final EventLog events = new EventLog();
    private final List<EmbeddingWorker> workers = new ArrayList<>();

    TestEmbedding(TestKnowledge knowledge) {
        this.knowledge = knowledge;
        this.owner = knowledge.accounts.user("owner");
    }

    /** A source's standing: its status, the chunks that wait, are dead and have a vector, and the last error. */
    record Standing(
            String status,
            int waiting,
            int dead,
            int embedded,
            @Nullable String errorCode) {}

    static EmbeddingConfig config(int batch, int concurrency, Duration backoff) {
        return config(batch, concurrency, backoff, Duration.ofSeconds(20));
    }

    static EmbeddingConfig config(int batch, int concurrency, Duration backoff, Duration timeout) {
        return new EmbeddingConfig(
                Kind.LOCAL,
                "",
                "",
                1,
                SecretText.of(""),
                batch,
                concurrency,
                timeout,
                backoff,
                backoff,
                backoff,
                3,
                0,
                true);
    }

    /** Installs the files of the model in the program under another name. */
    static EmbeddingSpace.Model installModel(Path data, String name) throws Exception {
        var models = new InstalledModels(data);
        var sources = List.of(
                new ModelSource(resource("bge-small-en-v1.5-q.onnx", data.resolve("model.onnx")), null),
                new ModelSource(resource("bge-small-en-v1.5-q-tokenizer.json", data.resolve("tokenizer.json")), null));
        return new ModelInstaller(models, step -> {})
                .install(new ModelInstaller.Order(name, sources, "", ModelSettings.of("bge-small-en")))
                .model();
    }

    /** Takes a file of the model in the program out of its jar. */
    static String resource(String name, Path file) throws IOException {
        try (var content = OnnxBertBiEncoder.class.getClassLoader().getResourceAsStream(name)) {
            assertThat(content).isNotNull();
            Files.copy(content, file);
        }
        return file.toString();
    }

    static FakeProvider.Failure failWith(Fault fault) {
        return texts -> {
            throw new ProviderException(fault, "as told");
        };
    }

    /** As {@link #failWith}, for calls that hold {@code text}. */
    static FakeProvider.Failure failOn(String text, Fault fault) {
        return texts -> {
            if (texts.stream().anyMatch(one -> one.contains(text))) {
                throw new ProviderException(fault, "as told");
            }
        };
    }

    EmbeddingQueue queue(EmbeddingConfig config) {
        return new EmbeddingQueue(knowledge.db, knowledge.accounts.lease.ids(), events, config);
    }

    EmbeddingWorker start(EmbeddingConfig config) {
        return start(config, model -> provider, PACE);
    }

    EmbeddingWorker start(EmbeddingConfig config, EmbeddingProviders providers, Pace pace) {
        var switching = new SpaceSwitch(knowledge.db, knowledge.spaces, events);
        var worker = new EmbeddingWorker(switching, queue(config), providers, config, signal, meters, pace).start();
        workers.add(worker);
        return worker;
    }

    /** Writes sources so that the worker learns of it at once. */
    SourceWriter writer() {
        return new SourceWriter(knowledge.accounts.lease.ids(), knowledge.accounts.clock, signal::raise);
    }

    SourceId note(String... texts) {
        return knowledge.note(owner, false, "Notes", texts);
    }

    static String[] texts(int count) {
        return IntStream.range(0, count).mapToObj(i -> "Text number " + i).toArray(String[]::new);
    }

    Standing standing(SourceId source) {
        var space = knowledge.spaces.active();
        return knowledge.db.read(reads -> reads.query("""
                SELECT p.status, p.waiting, p.dead, p.error_code,
                       (SELECT count(*) FROM %s e WHERE e.source_id = s.id) AS embedded
                FROM knowledge.knowledge_sources s, knowledge.progress(s.id, s.chunk_count, :space) p
                WHERE s.id = :source
                """.formatted(space.table()))
                .bind("space", space.id())
                .bind("source", source.value())
                .map(row -> new Standing(
                        row.getString("status"),
                        row.getInt("waiting"),
                        row.getInt("dead"),
                        row.getInt("embedded"),
                        row.getString("error_code")))
                .one());
    }

    void await(SourceId source, Standing standing) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> standing(source), standing::equals);
    }

    /** The retries of what waits, by text. */
    Map<String, Integer> retries() {
        return knowledge.db.read(reads ->
                reads.query("""
                SELECT c.content, q.retry_count FROM knowledge.embedding_queue q
                JOIN knowledge.knowledge_chunks c ON c.source_id = q.source_id AND c.id = q.chunk_id
                """).map(row -> Map.entry(row.getString("content"), row.getInt("retry_count"))).stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** What owners were told of dead chunks: {@code code × chunks}. */
    List<String> told() {
        return knowledge.db.read(reads -> reads.query("""
                SELECT (payload ->> 'errorCode') || ' × ' || (payload ->> 'chunks')
                FROM platform.event_logs
                WHERE payload ->> 'type' = 'knowledge-dead'
                  AND payload ->> 'sourceId' = ANY (SELECT upper(lpad(to_hex(id), 16, '0'))
                                                    FROM knowledge.knowledge_sources WHERE owned_by = :owner)
                ORDER BY event_id
                """)
                .bind("owner", owner.value())
                .mapTo(String.class)
                .list());
    }

    List<DeadLetter> dead() {
        return new DeadLetters(knowledge.db, signal)
                .list(knowledge.accounts.caller(owner), false, DeadLetters.Filter.NONE, Optional.empty(), 1000);
    }

    int count(String sql) {
        return knowledge.accounts.count(sql);
    }

    /** A text as it is embedded: below its title and its place. */
    static String embedded(String content) {
        return "Notes\nText\n\n" + content;
    }

    /** Stored vectors, by the text that was embedded. */
    Map<String, float[]> vectors() {
        return knowledge.db.read(reads -> reads
                .query("""
                SELECT s.title || E'\\n' || (c.location ->> 'label') || E'\\n\\n' || c.content AS text,
                       CAST(CAST(e.embedding AS vector) AS real[]) AS vector
                FROM %s e
                JOIN knowledge.knowledge_chunks c ON c.source_id = e.source_id AND c.id = e.chunk_id
                JOIN knowledge.knowledge_sources s ON s.id = c.source_id
                """.formatted(knowledge.spaces.active().table()))
                .map(row -> Map.entry(row.getString("text"), floats((Float[])
                        row.getArray("vector").getArray())))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> other)));
    }

    private static float[] floats(Float[] values) {
        var vector = new float[values.length];
        IntStream.range(0, values.length).forEach(i -> vector[i] = values[i]);
        return vector;
    }

    static double similarity(float[] one, float[] other) {
        double dot = IntStream.range(0, one.length)
                .mapToDouble(i -> (double) one[i] * other[i])
                .sum();
        return dot / length(one) / length(other);
    }

    private static double length(float[] vector) {
        double squares = 0;
        for (float value : vector) {
            squares += (double) value * value;
        }
        return Math.sqrt(squares);
    }

    static List<String> sorted(String... texts) {
        return Arrays.stream(texts).sorted().toList();
    }

    @Override
    public void close() {
        workers.forEach(EmbeddingWorker::close);
        knowledge.db.useTransaction(tx -> {
            tx.update("DELETE FROM knowledge.knowledge_sources").execute();
            tx.update("DELETE FROM knowledge.knowledge_chunks_dlq").execute();
        });
    }
}
