package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.HanEncoder.Letters;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.gloss.Glosses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A provider of English that is handed English glosses in the place of Japanese and Chinese words, so that all three
 * languages share its space. Behind its vector stands that of the Chinese model, for texts in these characters; for
 * others there are zeros, and so they are as similar to each other as without it. Without the dictionaries it serves
 * those alone.
 */
final class GlossedProvider implements EmbeddingProvider {

    private static final int ENGLISH = LocalProvider.MODEL.dimensions();

    static final Model MODEL = new Model(
            LocalProvider.MODEL.provider(),
            "bge-small-en-zh-v1.5+glosses-" + Glosses.VERSION,
            ENGLISH + HanEncoder.DIMENSIONS);

    /** The share of the Chinese model in the similarity of two texts: more of it costs hits across languages. */
    private static final double CHINESE_SHARE = 0.3;

    private static final double JAPANESE_SHARE = 0.2;

    private static final List<String> PROBE = List.of(PROBE_TEXT);

    private final EmbeddingProvider english;
    private final BooleanSupplier hasDictionaries;

    /** A computation never releases the carrier of a virtual thread. */
    private final ExecutorService passages = thread("glosses of passages");

    private final ExecutorService queries = thread("glosses of queries");

    GlossedProvider(EmbeddingProvider english) {
        this(english, Glosses::areInstalled);
    }

    GlossedProvider(EmbeddingProvider english, BooleanSupplier hasDictionaries) {
        this.english = english;
        this.hasDictionaries = hasDictionaries;
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    /**
     * A text for the English model.
     *
     * @param han the vector of the Chinese model, with its share; null where there is nothing for it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Prepared(String text, float @Nullable [] han, double share) {}

    @Override
    public List<float[]> embed(List<String> texts, Purpose purpose) throws ProviderException {
        if (!hasDictionaries.getAsBoolean()) {
            refuseWithoutDictionaries(texts, purpose);
        }
        var prepared = prepared(texts, purpose);
        var vectors = english.embed(prepared.stream().map(Prepared::text).toList(), purpose);
        var joined = new ArrayList<float[]>(vectors.size());
        for (int i = 0; i < vectors.size(); i++) {
            joined.add(joined(vectors.get(i), prepared.get(i)));
        }
        return joined;
    }

    private static void refuseWithoutDictionaries(List<String> texts, Purpose purpose) throws ProviderException {
        // A probe must not make a node go on with batches of which it can embed but some texts.
        if (texts.equals(PROBE) || texts.stream().anyMatch(Glosses::applyTo)) {
            // Chunks are left to other nodes. A query of this kind must not turn off those that can be embedded.
            boolean isQuery = purpose == Purpose.QUERY && !texts.equals(PROBE);
            throw new ProviderException(
                    isQuery ? Fault.TEXT_REFUSED : Fault.UNREACHABLE,
                    "the dictionaries are not in " + Glosses.folder());
        }
    }

    private List<Prepared> prepared(List<String> texts, Purpose purpose) throws ProviderException {
        if (texts.stream().noneMatch(Glosses::applyTo)) {
            return texts.stream().map(text -> new Prepared(text, null, 0)).toList();
        }
        var thread = purpose == Purpose.QUERY ? queries : passages;
        Future<List<Prepared>> all = null;
        try {
            all = thread.submit(() -> {
                var done = new ArrayList<Prepared>(texts.size());
                for (var text : texts) {
                    done.add(prepared(text));
                }
                return done;
            });
            return all.get(LocalProvider.LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            boolean isOfTheMachine = e.getCause() instanceof Error || e.getCause() instanceof IOException;
            throw new ProviderException(
                    isOfTheMachine ? Fault.UNREACHABLE : Fault.SERVER_ERROR,
                    "the glosses or the Chinese model failed",
                    null,
                    e.getCause());
        } catch (TimeoutException e) {
            throw new ProviderException(Fault.EMBEDDING_API_TIMEOUT, "the glosses are busy", null, e);
        } catch (RejectedExecutionException e) {
            throw new ProviderException(Fault.UNREACHABLE, "the local model is closed", null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProviderException(Fault.UNREACHABLE, "interrupted", null, e);
        } finally {
            if (all != null) {
                all.cancel(false);
            }
        }
    }

    private static Prepared prepared(String text) throws IOException {
        if (!Glosses.applyTo(text)) {
            return new Prepared(text, null, 0);
        }
        var letters = Letters.of(text);
        double share = letters.share() * (letters.isJapanese() ? JAPANESE_SHARE : CHINESE_SHARE);
        return new Prepared(Glosses.installed().apply(text), HanEncoder.encode(text, letters.isJapanese()), share);
    }

    private static float[] joined(float[] vector, Prepared prepared) {
        var joined = new float[MODEL.dimensions()];
        System.arraycopy(vector, 0, joined, 0, ENGLISH);
        var han = prepared.han();
        if (han != null) {
            double length = length(vector);
            for (int i = 0; i < ENGLISH; i++) {
                joined[i] = (float) (vector[i] / length * Math.sqrt(1 - prepared.share()));
            }
            for (int i = 0; i < han.length; i++) {
                joined[ENGLISH + i] = (float) (han[i] * Math.sqrt(prepared.share()));
            }
        }
        return joined;
    }

    private static double length(float[] vector) {
        double squares = 0;
        for (float value : vector) {
            squares += (double) value * value;
        }
        return Math.sqrt(squares);
    }

    @Override
    public int concurrency(int max) {
        return english.concurrency(max);
    }

    @Override
    public int batch(int max) {
        return english.batch(max);
    }

    @Override
    public void close() {
        passages.shutdownNow();
        queries.shutdownNow();
        english.close();
    }
}
