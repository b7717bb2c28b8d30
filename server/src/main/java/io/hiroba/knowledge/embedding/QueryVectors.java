package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.Provider.Purpose;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Vectors of what people ask, made by the model of the space that is searched. They wait behind no batch of chunks, and
 * while a provider is away they do not wait at all.
 */
public final class QueryVectors {

    static final int LONGEST = 2_000;
    private static final int KEPT = 1_000;
    private static final int AT_ONCE = 16;
    private static final Duration QUEUEING = Duration.ofSeconds(5);
    /** After a provider could not be asked, nobody is kept waiting for it for so long. */
    private static final Duration REST = Duration.ofSeconds(5);

    private final Spaces spaces;
    private final VectorCalls calls;
    private final Semaphore room = new Semaphore(AT_ONCE, true);
    private final Map<Asked, float[]> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, float[]> eldest) {
            return size() > KEPT;
        }
    };
    private volatile Away away = new Away(0, System.nanoTime(), Fault.UNREACHABLE);

    public QueryVectors(Spaces spaces, Providers providers, MeterRegistry meters) {
        this.spaces = spaces;
        this.calls = new VectorCalls(providers, meters);
    }

    /** A query's vector, and the space that it can be compared in. The values are shared: nobody may change them. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Vector(Space space, float[] values) {}

    private record Asked(int space, String text) {}

    /** The space whose provider could not be asked, and until when that is taken to be so. */
    private record Away(int space, long until, Fault fault) {}

    /** The vector of {@code query}, of which no more than the first 2,000 characters count. */
    public Vector of(String query) throws ProviderException {
        var space = spaces.active();
        var text = shortened(query.strip());
        if (text.isEmpty()) {
            throw new ProviderException(Fault.TEXT_REFUSED, "there is nothing in it");
        }
        var asked = new Asked(space.id(), text);
        var found = known(asked);
        if (found.length == 0) {
            found = made(space, text);
            remember(asked, found);
        }
        return new Vector(space, found);
    }

    private float[] made(Space space, String text) throws ProviderException {
        var trouble = away;
        if (trouble.space() == space.id() && trouble.until() - System.nanoTime() > 0) {
            throw new ProviderException(trouble.fault(), "it could not be asked a moment ago");
        }
        enter();
        try {
            return calls.make(space.model(), List.of(text), Purpose.QUERY).getFirst();
        } catch (ProviderException e) {
            if (e.fault() != Fault.TEXT_REFUSED) {
                away = new Away(space.id(), System.nanoTime() + REST.toNanos(), e.fault());
            }
            throw e;
        } finally {
            room.release();
        }
    }

    private void enter() throws ProviderException {
        try {
            if (!room.tryAcquire(QUEUEING.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new ProviderException(Fault.EMBEDDING_API_TIMEOUT, "too many queries at once");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProviderException(Fault.EMBEDDING_API_TIMEOUT, "interrupted", null, e);
        }
    }

    private float[] known(Asked asked) {
        synchronized (known) {
            return known.getOrDefault(asked, new float[0]);
        }
    }

    private void remember(Asked asked, float[] vector) {
        synchronized (known) {
            known.put(asked, vector);
        }
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= LONGEST
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST));
    }
}
