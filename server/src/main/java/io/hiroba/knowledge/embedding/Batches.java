package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.Provider.Purpose;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has claimed chunks embedded, and decides what a failure means. Where it is not clear whether the texts or the provider
 * are at fault, the provider is asked for the vector of a word: if it cannot do that, no chunk pays for it.
 */
final class Batches {

    private static final Logger log = LoggerFactory.getLogger(Batches.class);
    /** Any provider that works can do this. */
    private static final List<String> WORD = List.of("plaza");
    /** How long a refused key costs no more chunks, on whichever node, however often it starts. */
    private static final Duration REMINDER = Duration.ofHours(1);

    private final Space space;
    private final EmbeddingQueue queue;
    private final VectorCalls calls;
    private final Breaker breaker;
    private final EmbeddingMeters meters;

    Batches(Space space, EmbeddingQueue queue, VectorCalls calls, Breaker breaker, EmbeddingMeters meters) {
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
            // All that is left of the claim: while one part is embedded, the others must not become another's.
            parts.removeIf(part -> queue.renew(part) == 0);
            var next = parts.poll();
            if (next != null) {
                embed(next, parts, true);
            }
        }
    }

    /**
     * @param parts where a claim goes that is to be tried in parts
     * @param works whether the provider is known to work, so that what it refuses is the texts
     */
    private void embed(Claim claim, Deque<Claim> parts, boolean works) {
        if (breaker.state() != Breaker.State.CLOSED) {
            queue.giveBack(claim, Duration.ZERO);
            return;
        }
        List<float[]> vectors;
        try {
            vectors = calls.make(space.model(), claim.texts(), Purpose.PASSAGE);
        } catch (ProviderException e) {
            settle(claim, e, parts, works);
            return;
        }
        breaker.answered();
        meters.embedded(queue.done(claim, vectors));
    }

    private void settle(Claim claim, ProviderException failure, Deque<Claim> parts, boolean works) {
        log.debug(
                "{} made no vectors of {} chunks", space.model(), claim.chunks().size(), failure);
        switch (failure.fault()) {
            case RATE_LIMIT -> queue.giveBack(claim, breaker.limited(failure.retryAfter()));
            case UNREACHABLE -> {
                open(failure);
                queue.giveBack(claim, Duration.ZERO);
            }
            case TEXT_REFUSED, AUTHENTICATION_ERROR -> refused(claim, failure, parts, works);
            case EMBEDDING_API_TIMEOUT, SERVER_ERROR, BAD_ANSWER -> failed(claim, failure);
        }
    }

    private void failed(Claim claim, ProviderException failure) {
        if (trouble().isPresent()) {
            queue.giveBack(claim, Duration.ZERO);
            return;
        }
        var outcome = queue.fail(claim, failure.fault());
        meters.failed(outcome.postponed() + outcome.dead());
        meters.dead(outcome.dead());
        log.info(
                "{} made no vectors of {} chunks, of which {} are dead letters now: {}",
                space.model(),
                outcome.postponed() + outcome.dead(),
                outcome.dead(),
                failure.getMessage());
    }

    private void refused(Claim claim, ProviderException failure, Deque<Claim> parts, boolean works) {
        // A key may be refused from one call to the next, whatever the provider did before.
        var trouble = works && failure.fault() == Fault.TEXT_REFUSED ? Optional.<Trouble>empty() : trouble();
        if (trouble.isEmpty()) {
            part(claim, parts);
        } else if (trouble.get().equals(new Trouble(Fault.AUTHENTICATION_ERROR, true))
                && failure.fault() == Fault.AUTHENTICATION_ERROR
                && !queue.hasDeadSince(space, failure.fault(), REMINDER)) {
            // Somebody has to see to it, and learns of it from these; the others wait until that is done.
            meters.dead(queue.bury(claim, failure.fault()));
        } else {
            queue.giveBack(claim, Duration.ZERO);
        }
    }

    /** Finds the text that is refused: the others have nothing to do with it. */
    private void part(Claim claim, Deque<Claim> parts) {
        if (claim.chunks().size() == 1) {
            meters.dead(queue.bury(claim, Fault.TEXT_REFUSED));
            return;
        }
        claim.halves().reversed().forEach(parts::push);
    }

    /** What is the matter with a provider, and whether that is news. */
    private record Trouble(Fault fault, boolean news) {}

    /** What is the matter with the provider itself, if anything is. */
    private Optional<Trouble> trouble() {
        try {
            calls.make(space.model(), WORD, Purpose.QUERY);
            return Optional.empty();
        } catch (ProviderException e) {
            if (e.fault() == Fault.RATE_LIMIT) {
                breaker.limited(e.retryAfter());
                return Optional.of(new Trouble(e.fault(), false));
            }
            return Optional.of(new Trouble(e.fault(), open(e)));
        }
    }

    private boolean open(ProviderException failure) {
        boolean news = breaker.open(failure.fault());
        if (news) {
            log.warn(
                    "{} is left alone for a while: {} ({})",
                    space.model(),
                    failure.fault().told(),
                    failure.getMessage(),
                    failure.getCause());
        }
        return news;
    }

    /** Asks a provider that was away whether it is back. */
    void probe() {
        try {
            calls.make(space.model(), WORD, Purpose.QUERY);
            breaker.close();
            log.info("{} makes vectors again", space.model());
        } catch (ProviderException e) {
            if (e.fault() == Fault.RATE_LIMIT) {
                // It is there, and says so.
                breaker.close();
                breaker.limited(e.retryAfter());
            } else {
                breaker.failedAgain(e.fault());
            }
        }
    }
}
