package io.hiroba.agents.model;

import io.hiroba.agents.model.HttpModelClient.Service;
import io.hiroba.agents.model.ModelFailure.Tokens;
import io.hiroba.agents.model.ModelTurn.StandIn;
import io.hiroba.knowledge.search.ChatConfig;
import io.hiroba.knowledge.search.ChatConfig.ModelConfig;
import io.hiroba.platform.task.Lazy;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The clients of all configured chat models. A request is answered by the model that it names, or by those that are configured to
 * stand in for it. It is tried again only while no answer has begun: what a model has written is paid for, so that whoever keeps the
 * budget decides whether it is asked once more.
 */
public final class ModelClients implements ModelClient, AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int ATTEMPTS = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

    /** A longer one is left to the caller, who need not hold a thread for it. */
    private static final Duration MAX_PAUSE = Duration.ofSeconds(20);

    private final Lazy<HttpClient> http = Lazy.of(() -> HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            // A redirect would send the key, and what the model is told, to another host.
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build());

    private final Map<String, Candidate> byName = new LinkedHashMap<>();
    private final Duration firstPause;

    private record Candidate(String name, ModelConfig config, HttpModelClient client) {

        StandIn standIn() {
            return new StandIn(name, config.model());
        }
    }

    /** The clients of the models in this configuration. */
    public ModelClients(ChatConfig config, InstantSource clock) {
        this(config.byName(), clock, FIRST_PAUSE);
    }

    ModelClients(Map<String, ModelConfig> models, InstantSource clock, Duration firstPause) {
        this.firstPause = firstPause;
        models.forEach((name, model) -> {
            var service =
                    new Service(api(model), URI.create(model.baseUrl()), model.model(), model.key(), model.timeout());
            byName.put(name, new Candidate(name, model, new HttpModelClient(http, clock, service)));
        });
    }

    private static ModelApi api(ModelConfig model) {
        return switch (model.provider()) {
            case OPENAI -> new OpenAiApi(URI.create(model.baseUrl()));
            case ANTHROPIC -> new AnthropicApi();
        };
    }

    /** The client of this model, by its name in the configuration or the one that its service knows it by. */
    public Optional<ModelClient> find(String model) {
        return candidate(model).map(first -> new Asked(candidates(first)));
    }

    /** A model that is asked, with those that stand in for it. */
    private final class Asked implements ModelClient {

        private final List<Candidate> candidates;

        Asked(List<Candidate> candidates) {
            this.candidates = candidates;
        }

        @Override
        public ModelTurn call(ModelRequest request, Consumer<String> onText) throws ModelFailure, InterruptedException {
            return ModelClients.this.call(candidates, request, onText);
        }

        @Override
        public List<StandIn> standIns() {
            return candidates.stream().skip(1).map(Candidate::standIn).toList();
        }

        @Override
        public ModelClient withStandIns(Predicate<StandIn> allowed) {
            var first = candidates.getFirst();
            return new Asked(candidates.stream()
                    .filter(each -> each.equals(first) || allowed.test(each.standIn()))
                    .toList());
        }
    }

    /** The names in the configuration, each with the one that its service knows it by. */
    public Map<String, String> names() {
        return byName.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().config().model()));
    }

    private Optional<Candidate> candidate(String model) {
        return Optional.ofNullable(byName.get(model))
                .or(() -> byName.values().stream()
                        .filter(each -> each.config().model().equals(model))
                        .findFirst());
    }

    @Override
    public ModelTurn call(ModelRequest request, Consumer<String> onText) throws ModelFailure, InterruptedException {
        var first = candidate(request.model());
        if (first.isEmpty()) {
            throw new ModelFailure("No service is configured for the model " + request.model(), false, null, null);
        }
        return call(candidates(first.get()), request, onText);
    }

    /** @param candidates the model that is asked, and those that stand in for it */
    private ModelTurn call(List<Candidate> candidates, ModelRequest request, Consumer<String> onText)
            throws ModelFailure, InterruptedException {
        long end = System.nanoTime() + request.timeout().toNanos();
        @Nullable ModelFailure told = null;
        for (var candidate : candidates) {
            var standIn = candidate.equals(candidates.getFirst()) ? null : candidate.standIn();
            try {
                return retried(candidate.client(), request, onText, end).by(standIn);
            } catch (ModelFailure e) {
                told = told == null || (!told.retryable() && e.retryable()) ? e : told;
                var taken = e.tokens();
                if (taken != null) {
                    throw told.having(new Tokens(taken.in(), taken.out(), standIn));
                }
                if (end - System.nanoTime() <= 0) {
                    break;
                }
            }
        }
        throw Objects.requireNonNull(told);
    }

    /** The model that is asked, and those that stand in for it. */
    private List<Candidate> candidates(Candidate first) {
        var candidates = new ArrayList<>(List.of(first));
        for (var name : first.config().fallbacks()) {
            var other = byName.get(name);
            if (other != null && !candidates.contains(other)) {
                candidates.add(other);
            }
        }
        return candidates;
    }

    private ModelTurn retried(HttpModelClient client, ModelRequest request, Consumer<String> onText, long end)
            throws ModelFailure, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return client.call(within(request, end), onText);
            } catch (ModelFailure e) {
                var pause = pause(e, attempt);
                // An answer that has begun is paid for and may have been seen, and one that is late may have begun.
                if (!e.retryable()
                        || e.tokens() != null
                        || e.getCause() instanceof TimeoutException
                        || attempt == ATTEMPTS
                        || pause.compareTo(MAX_PAUSE) > 0
                        || System.nanoTime() + pause.toNanos() - end >= 0) {
                    throw e;
                }
                Thread.sleep(pause);
            }
        }
    }

    /** The same request with the time that is left. */
    private static ModelRequest within(ModelRequest request, long end) {
        return new ModelRequest(
                request.model(),
                request.system(),
                request.messages(),
                request.tools(),
                request.maxTokens(),
                Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }

    private Duration pause(ModelFailure failure, int attempt) {
        var asked = failure.retryAfter();
        if (asked != null) {
            return asked;
        }
        // With some chance, so that runs which failed together do not come back together.
        double factor =
                (1 << (attempt - 1)) * (0.75 + ThreadLocalRandom.current().nextDouble() / 2);
        return Duration.ofMillis(Math.round(firstPause.toMillis() * factor));
    }

    /** Ends calls that are under way. */
    @Override
    public void close() {
        http.made().ifPresent(HttpClient::shutdownNow);
    }
}
