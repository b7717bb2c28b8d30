package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Embeds claimed chunks and classifies failures. Where it is unclear whether the texts or the provider are at fault, a
 * probe text is embedded: if that fails too, no chunk is charged with a retry.
 */
final class BatchEmbedder {

    private static final Logger log = LoggerFactory.getLogger(BatchEmbedder.class);
    private static final List<String> PROBE_TEXT = List.of(EmbeddingProvider.PROBE_TEXT);
    /** A rejected key costs one batch in this time, on all nodes. */
    private static final Duration AUTHENTICATION_ALERT_INTERVAL = Duration.ofHours(1);

    private final EmbeddingSpace space;
    private final EmbeddingQueue queue;
    private final ProviderCalls calls;
    private final ProviderBreaker breaker;
    private final EmbeddingMetrics meters;

    BatchEmbedder(
            EmbeddingSpace space,
            EmbeddingQueue queue,
            ProviderCalls calls,
            ProviderBreaker breaker,
            EmbeddingMetrics meters) {
        this.space = space;
        this.queue = queue;
        this.calls = calls;
        this.breaker = breaker;
        this.meters = meters;
    }

    void embed(Claim claim) {
        var parts = new ArrayDeque<Claim>();
        embed(claim, parts, false);
        while (!parts.isEmpty()) {
            // The rest of the claim: its lease must not expire while one part is embedded.
            parts.removeIf(part -> queue.renew(part) == 0);
            var next = parts.poll();
            if (next != null) {
                embed(next, parts, true);
            }
        }
    }

    /**
     * @param parts receives the parts of a claim that is split
     * @param providerWorks whether the provider is known to work, so that a refusal concerns the texts
     */
    private void embed(Claim claim, Deque<Claim> parts, boolean providerWorks) {
        if (breaker.state() != ProviderBreaker.State.CLOSED) {
            queue.release(claim, Duration.ZERO);
            return;
        }
        List<float[]> vectors;
        try {
            vectors = calls.embed(space.model(), claim.texts(), Purpose.PASSAGE);
        } catch (ProviderException e) {
            handle(claim, e, parts, providerWorks);
            return;
        }
        breaker.succeeded();
        meters.embedded(queue.done(claim, vectors));
    }

    private void handle(Claim claim, ProviderException failure, Deque<Claim> parts, boolean providerWorks) {
        log.debug("{} failed to embed {} chunks", space.model(), claim.chunks().size(), failure);
        switch (failure.fault()) {
            case RATE_LIMIT -> queue.release(claim, breaker.rateLimited(failure.retryAfter()));
            case UNREACHABLE -> {
                open(failure);
                queue.release(claim, Duration.ZERO);
            }
            case TEXT_REFUSED, AUTHENTICATION_ERROR -> refused(claim, failure, parts, providerWorks);
            case EMBEDDING_API_TIMEOUT, SERVER_ERROR, BAD_ANSWER -> failed(claim, failure);
        }
    }

    private void failed(Claim claim, ProviderException failure) {
        if (probeFailure().isPresent()) {
            queue.release(claim, Duration.ZERO);
            return;
        }
        var outcome = queue.fail(claim, failure.fault());
        meters.failed(outcome.postponed() + outcome.dead());
        meters.dead(outcome.dead());
        log.info(
                "{} failed to embed {} chunks, of which {} are dead letters now: {}",
                space.model(),
                outcome.postponed() + outcome.dead(),
                outcome.dead(),
                failure.getMessage());
    }

    private void refused(Claim claim, ProviderException failure, Deque<Claim> parts, boolean providerWorks) {
        // A key may be revoked at any time, even after successful calls.
        var probe = providerWorks && failure.fault() == Fault.TEXT_REFUSED
                ? Optional.<ProbeFailure>empty()
                : probeFailure();
        if (probe.isEmpty()) {
            split(claim, parts);
        } else if (probe.get().equals(new ProbeFailure(Fault.AUTHENTICATION_ERROR, true))
                && failure.fault() == Fault.AUTHENTICATION_ERROR
                && !queue.hasDeadLettersSince(space, failure.fault(), AUTHENTICATION_ALERT_INTERVAL)) {
            // These chunks become dead letters, to notify an operator; the others wait.
            meters.dead(queue.deadLetter(claim, failure.fault()));
        } else {
            queue.release(claim, Duration.ZERO);
        }
    }

    /** Splits the batch to find the refused text. */
    private void split(Claim claim, Deque<Claim> parts) {
        if (claim.chunks().size() == 1) {
            meters.dead(queue.deadLetter(claim, Fault.TEXT_REFUSED));
            return;
        }
        claim.halves().reversed().forEach(parts::push);
    }

    /** A failed probe, and whether the failure was unknown. */
    private record ProbeFailure(Fault fault, boolean isNew) {}

    /** Probes the provider; empty if it works. */
    private Optional<ProbeFailure> probeFailure() {
        try {
            calls.embed(space.model(), PROBE_TEXT, Purpose.QUERY);
            return Optional.empty();
        } catch (ProviderException e) {
            if (e.fault() == Fault.RATE_LIMIT) {
                breaker.rateLimited(e.retryAfter());
                return Optional.of(new ProbeFailure(e.fault(), false));
            }
            return Optional.of(new ProbeFailure(e.fault(), open(e)));
        }
    }

    private boolean open(ProviderException failure) {
        boolean isNew = breaker.open(failure.fault());
        if (isNew) {
            log.warn(
                    "{} is paused: {} ({})",
                    space.model(),
                    failure.fault().message(),
                    failure.getMessage(),
                    failure.getCause());
        }
        return isNew;
    }

    /** Probes a provider that was unavailable. */
    void probe() {
        try {
            calls.embed(space.model(), PROBE_TEXT, Purpose.QUERY);
            breaker.close();
            log.info("{} works again", space.model());
        } catch (ProviderException e) {
            if (e.fault() == Fault.RATE_LIMIT) {
                // The provider is available: it answered.
                breaker.close();
                breaker.rateLimited(e.retryAfter());
            } else {
                breaker.failedAgain(e.fault());
            }
        }
    }
}
