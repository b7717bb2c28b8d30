package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingConfig.Kind;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.ModelUsage.ModelUse;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The local model, installed models and those of the configured service, if one is configured. */
final class ConfiguredProviders implements EmbeddingProviders {

    private final EmbeddingConfig config;
    private final InstalledModels models;
    private final InstantSource clock;
    private final Map<Model, EmbeddingProvider> providers = new ConcurrentHashMap<>();

    private final @Nullable ModelUsage usage;

    /** @param usage counts what they are asked; null if nobody wants to know */
    ConfiguredProviders(
            EmbeddingConfig config, InstalledModels models, InstantSource clock, @Nullable ModelUsage usage) {
        this.config = config;
        this.models = models;
        this.clock = clock;
        this.usage = usage;
    }

    /** A provider whose answers are counted. */
    private record CountedProvider(EmbeddingProvider provider, Runnable answered) implements EmbeddingProvider {

        @Override
        public List<float[]> embed(List<String> texts, Purpose purpose) throws ProviderException {
            var vectors = provider.embed(texts, purpose);
            answered.run();
            return vectors;
        }

        @Override
        public int concurrency(int max) {
            return provider.concurrency(max);
        }

        @Override
        public int batch(int max) {
            return provider.batch(max);
        }

        @Override
        public void unload() {
            provider.unload();
        }

        @Override
        public void close() {
            provider.close();
        }
    }

    /** A model that was removed from the program, or of a service that is not configured any more. */
    private record Nobody(Model model) implements EmbeddingProvider {
        @Override
        public List<float[]> embed(List<String> texts, Purpose purpose) throws ProviderException {
            throw new ProviderException(Fault.UNREACHABLE, "nobody here makes vectors of " + model);
        }
    }

    @Override
    public EmbeddingProvider of(Model model) {
        return providers.computeIfAbsent(model, this::counted);
    }

    private EmbeddingProvider counted(Model model) {
        var made = make(model);
        var counter = usage;
        return counter == null
                ? made
                : new CountedProvider(made, () -> counter.called(ModelUse.EMBEDDING, model.name()));
    }

    private EmbeddingProvider make(Model model) {
        if (model.equals(LocalProvider.MODEL)) {
            return new LocalProvider();
        }
        if (model.equals(GlossedProvider.MODEL)) {
            return new GlossedProvider(new LocalProvider());
        }
        // Whatever is configured: until another model's space is complete, the old one's queries need it.
        var installed = models.find(model);
        if (installed.isPresent()) {
            return new LocalProvider(new OnnxEncoder(
                    new LoadedModel(installed.get()), installed.get().settings()));
        }
        // Without a configured service its URL is only a default: nobody chose to send texts there.
        if (config.provider() == Kind.OPENAI && model.provider().equals(OpenAiProvider.NAME)) {
            return new OpenAiProvider(config.baseUrl(), config.key(), model, config.timeout(), clock, tokens -> {
                if (usage != null) {
                    usage.tokens(ModelUse.EMBEDDING, model.name(), tokens, 0);
                }
            });
        }
        return new Nobody(model);
    }

    @Override
    public void unloadOthers(Set<Model> used) {
        providers.forEach((model, provider) -> {
            if (!used.contains(model)) {
                provider.unload();
            }
        });
    }

    @Override
    public void close() {
        providers.values().forEach(EmbeddingProvider::close);
    }
}
