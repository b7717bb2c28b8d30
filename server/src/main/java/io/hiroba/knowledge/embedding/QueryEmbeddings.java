package io.hiroba.knowledge.embedding;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.text.ScriptLanguage;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Computes and caches the vectors of search queries with the model of the active space. Queries do not wait behind
 * batches of chunks, and fail at once while a provider is unavailable.
 */
public final class QueryEmbeddings {

    static final int MAX_LENGTH = 2_000;
    private static final int CACHE_SIZE = 1_000;
    private static final int MAX_CONCURRENT = 16;
    private static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(5);
    /** The time after a failure in which the provider is not called again. */
    private static final Duration BACKOFF = Duration.ofSeconds(5);

    private final EmbeddingSpaces spaces;
    private final ProviderCalls calls;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT, true);
    private final Cache<CacheKey, float[]> cache =
            Caffeine.newBuilder().maximumSize(CACHE_SIZE).build();
    private volatile Outage outage = new Outage(0, System.nanoTime(), Fault.UNREACHABLE);

    public QueryEmbeddings(EmbeddingSpaces spaces, EmbeddingProviders providers, MeterRegistry meters) {
        this.spaces = spaces;
        this.calls = new ProviderCalls(providers, meters);
    }

    /** A query's vector and its space. The values are shared and must not be changed. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Vector(EmbeddingSpace space, float[] values) {}

    private record CacheKey(int space, String text) {}

    /** A failed provider and when it may be called again. */
    private record Outage(int space, long until, Fault fault) {}

    /** Whether the model knows the language of {@code query}: without glosses, the local one finds all passages in others equally near. */
    public boolean understands(String query) {
        return !spaces.active().model().equals(LocalProvider.MODEL)
                || ScriptLanguage.of(query)
                        .filter(language -> language != Language.ENGLISH)
                        .isEmpty();
    }

    /** The vector of {@code query}, of which the first 2,000 characters count. */
    public Vector of(String query) throws ProviderException {
        var space = spaces.active();
        var text = shortened(query.strip());
        if (text.isEmpty()) {
            throw new ProviderException(Fault.TEXT_REFUSED, "the text is empty");
        }
        // Computed outside the cache, which would let other queries wait for the provider.
        var key = new CacheKey(space.id(), text);
        var cached = cache.getIfPresent(key);
        if (cached != null) {
            return new Vector(space, cached);
        }
        var values = compute(space, text);
        cache.put(key, values);
        return new Vector(space, values);
    }

    private float[] compute(EmbeddingSpace space, String text) throws ProviderException {
        var known = outage;
        if (known.space() == space.id() && known.until() - System.nanoTime() > 0) {
            throw new ProviderException(known.fault(), "it failed a moment ago");
        }
        acquire();
        try {
            return calls.embed(space.model(), List.of(text), Purpose.QUERY).getFirst();
        } catch (ProviderException e) {
            var fault = isOfTheText(space, e.fault()) ? Fault.TEXT_REFUSED : e.fault();
            if (fault != Fault.TEXT_REFUSED) {
                outage = new Outage(space.id(), System.nanoTime() + BACKOFF.toNanos(), fault);
            }
            throw new ProviderException(fault, String.valueOf(e.getMessage()), null, e);
        } finally {
            permits.release();
        }
    }

    /** Whether the text is at fault, and not the provider: otherwise one query could turn off everybody's searches. */
    private boolean isOfTheText(EmbeddingSpace space, Fault fault) {
        if (fault != Fault.SERVER_ERROR && fault != Fault.BAD_ANSWER) {
            return fault == Fault.TEXT_REFUSED;
        }
        try {
            calls.embed(space.model(), List.of(EmbeddingProvider.PROBE_TEXT), Purpose.QUERY);
            return true;
        } catch (ProviderException e) {
            return false;
        }
    }

    private void acquire() throws ProviderException {
        try {
            if (!permits.tryAcquire(QUEUE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new ProviderException(Fault.EMBEDDING_API_TIMEOUT, "too many queries at once");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProviderException(Fault.EMBEDDING_API_TIMEOUT, "interrupted", null, e);
        }
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= MAX_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_LENGTH));
    }
}
