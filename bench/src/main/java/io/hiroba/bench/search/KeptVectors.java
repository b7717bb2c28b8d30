package io.hiroba.bench.search;

import io.hiroba.knowledge.embedding.EmbeddingProvider;
import io.hiroba.knowledge.embedding.EmbeddingProviders;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.platform.id.Sha256;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Vectors of texts that were computed in an earlier run, in a file; without a file nothing is kept. */
final class KeptVectors implements AutoCloseable {

    private final @Nullable Path file;
    private final Map<String, float[]> vectors = new ConcurrentHashMap<>();

    KeptVectors(@Nullable Path file) {
        this.file = file;
        if (file != null && Files.exists(file)) {
            read(file);
        }
    }

    /** The same providers, asked only for texts that were not embedded before. */
    EmbeddingProviders over(EmbeddingProviders providers) {
        return file == null
                ? providers
                : new EmbeddingProviders() {
                    @Override
                    public EmbeddingProvider of(Model model) {
                        return new KeptProvider(model, providers.of(model));
                    }

                    @Override
                    public void close() {
                        providers.close();
                    }
                };
    }

    private final class KeptProvider implements EmbeddingProvider {

        private final Model model;
        private final EmbeddingProvider provider;

        KeptProvider(Model model, EmbeddingProvider provider) {
            this.model = model;
            this.provider = provider;
        }

        @Override
        public List<float[]> embed(List<String> texts, Purpose purpose) throws ProviderException {
            var keys = texts.stream().map(text -> key(model, purpose, text)).toList();
            if (!vectors.keySet().containsAll(keys)) {
                var made = provider.embed(texts, purpose);
                for (int i = 0; i < made.size(); i++) {
                    vectors.put(keys.get(i), made.get(i));
                }
            }
            return keys.stream()
                    .map(key -> Objects.requireNonNull(vectors.get(key)))
                    .toList();
        }

        @Override
        public int concurrency(int max) {
            return provider.concurrency(max);
        }

        @Override
        public int batch(int max) {
            return provider.batch(max);
        }
    }

    private static String key(Model model, EmbeddingProvider.Purpose purpose, String text) {
        return Sha256.hex((model + " " + purpose + " " + text).getBytes(StandardCharsets.UTF_8));
    }

    private void read(Path from) {
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(from)))) {
            for (int left = in.readInt(); left > 0; left--) {
                var key = in.readUTF();
                var vector = new float[in.readInt()];
                for (int i = 0; i < vector.length; i++) {
                    vector[i] = in.readFloat();
                }
                vectors.put(key, vector);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (file == null) {
            return;
        }
        try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            out.writeInt(vectors.size());
            for (var entry : new TreeMap<>(vectors).entrySet()) {
                out.writeUTF(entry.getKey());
                out.writeInt(entry.getValue().length);
                for (float value : entry.getValue()) {
                    out.writeFloat(value);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
