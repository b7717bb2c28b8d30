package io.hiroba.knowledge.search;

import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.search.Search.Chosen;
import io.hiroba.knowledge.search.Search.Result;
import io.hiroba.knowledge.search.SearchConfig.RerankConfig;
import io.hiroba.platform.i18n.Text;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders the best candidates of hybrid searches by a model that reads them with the query, and leaves out those that it takes for no
 * answer. Whatever goes wrong, the order and the floor of the search stand; a model that failed is not asked for a while, twice as long each time, as a provider of vectors is.
 */
final class Reranking implements AutoCloseable {

    static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    static final Duration MAX_PAUSE = Duration.ofMinutes(5);

    private static final Logger log = LoggerFactory.getLogger(Reranking.class);

    /** The beginning of a passage that is read: chunks of conversations may be far longer. */
    private static final int MAX_CHARACTERS = 4_000;

    /** Reasons that concern hits which are there; the others say why some are missing. */
    private static final Set<String> OF_QUALITY =
            Set.of("knowledge.search.keyword-only", "knowledge.search.text-refused");

    private final Reranker model;
    private final int candidates;
    private final double floor;
    private final MeterRegistry meters;
    private final LongSupplier nanos;

    /** Until when the model is not asked, and for how long that was. */
    private record Pause(long until, Duration length) {}

    private @Nullable Pause pause;
    private boolean isProbing;

    /** @param floor the score below which a passage is no answer */
    Reranking(Reranker model, int candidates, double floor, MeterRegistry meters, LongSupplier nanos) {
        this.model = model;
        this.candidates = candidates;
        this.floor = floor;
        this.meters = meters;
        this.nanos = nanos;
    }

    /**
     * The configured reranking.
     *
     * @param installed finds an installed model by its name
     */
    static Optional<Reranking> configured(
            RerankConfig config, Function<String, ToDoubleBiFunction<String, String>> installed, MeterRegistry meters) {
        Optional<Reranker> model = switch (config.provider()) {
            case NONE -> Optional.empty();
            case HTTP -> Optional.of(new HttpReranker(config));
            case ONNX -> Optional.of(new LocalReranker(installed.apply(config.model()), config.timeout()));
        };
        return model.map(each -> new Reranking(each, config.candidates(), config.floor(), meters, System::nanoTime));
    }

    /** Runs {@code search} for the best candidates, probable or not, and returns the best of them. */
    Result apply(KnowledgeQuery query, Function<KnowledgeQuery, Chosen> search) {
        var found = search.apply(query.withLimit(Math.max(query.limit(), candidates)));
        var scores = found.hits().isEmpty() ? Optional.of(new double[0]) : scores(query.text(), found.hits());
        boolean isFloored = query.threshold() == null;
        var left = scores.map(all -> ordered(found, all, isFloored ? floor : 0))
                .orElseGet(() -> found.hits().stream()
                        .filter(hit -> !isFloored || hit.judged().isEnough())
                        .map(hit -> hit.shown(found.terms(), hit.judged().probability()))
                        .toList());
        var why = remaining(found, left.size(), query.limit());
        return new Result(
                left.stream().limit(query.limit()).toList(),
                why == null && scores.isEmpty() ? Text.of("knowledge.search.not-reranked") : why);
    }

    /** Why {@code left} hits are fewer than asked for, or worse. */
    private static @Nullable Text remaining(Chosen found, int left, int limit) {
        var why = found.why();
        if (why != null && OF_QUALITY.contains(why.key())) {
            return why;
        }
        if (left >= limit) {
            return null;
        }
        return left < found.hits().size() ? Search.lessRelevant(left) : why;
    }

    /** What has nearly all that was asked for is shown, such as the passages with a code, of which models know nothing. */
    private static List<SearchHit> ordered(Chosen found, double[] scores, double floor) {
        return IntStream.range(0, scores.length)
                .filter(i -> scores[i] >= floor || found.hits().get(i).judged().hasNearlyAll())
                .mapToObj(i -> found.hits().get(i).shown(found.terms(), scores[i]))
                .sorted(Comparator.comparingDouble(SearchHit::score).reversed())
                .toList();
    }

    /** Empty if there are none: the model failed, or it is not asked. */
    private Optional<double[]> scores(String query, List<ChosenHit> hits) {
        if (!mayAsk()) {
            return Optional.empty();
        }
        var timer = Timer.start();
        var outcome = "ok";
        try {
            var scores = ask(query, hits);
            answered();
            return Optional.of(scores);
        } catch (ProviderException e) {
            outcome = e.fault().name();
            failed(e);
            return Optional.empty();
        } finally {
            timer.stop(Timer.builder("hiroba.knowledge.rerank.calls")
                    .description("Calls to the model that orders hits")
                    .tag("outcome", outcome)
                    .register(meters));
        }
    }

    private double[] ask(String query, List<ChosenHit> hits) throws ProviderException {
        try {
            return model.scores(query, hits.stream().map(Reranking::passage).toList());
        } catch (RuntimeException e) {
            throw new ProviderException(Fault.SERVER_ERROR, "the model failed", null, e);
        }
    }

    private static String passage(ChosenHit hit) {
        var text = hit.found().title() + "\n" + hit.found().content();
        if (text.length() <= MAX_CHARACTERS) {
            return text;
        }
        boolean isSplit = Character.isHighSurrogate(text.charAt(MAX_CHARACTERS - 1));
        return text.substring(0, isSplit ? MAX_CHARACTERS - 1 : MAX_CHARACTERS);
    }

    /** Whether the model is asked: always, or, after a pause, by one search that shows whether it is back. */
    private synchronized boolean mayAsk() {
        var known = pause;
        if (known == null) {
            return true;
        }
        if (known.until() - nanos.getAsLong() > 0 || isProbing) {
            return false;
        }
        isProbing = true;
        return true;
    }

    private synchronized void answered() {
        pause = null;
        isProbing = false;
    }

    private synchronized void failed(ProviderException failure) {
        boolean wasProbing = isProbing;
        isProbing = false;
        // One query must not turn it off for everybody.
        if (failure.fault() == Fault.TEXT_REFUSED) {
            log.debug("A query was refused by the reranking model", failure);
            return;
        }
        var known = pause;
        if (known != null && !wasProbing) {
            return;
        }
        var doubled = known == null ? FIRST_PAUSE : known.length().multipliedBy(2);
        var length = doubled.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : doubled;
        pause = new Pause(nanos.getAsLong() + length.toNanos(), length);
        log.warn("Hits are not reranked for {} s: {} {}", length.toSeconds(), failure.fault(), failure.getMessage());
    }

    @Override
    public void close() {
        model.close();
    }
}
