package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingConfig.Kind;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The local model and the models of the configured service, if one is configured. */
final class ConfiguredProviders implements EmbeddingProviders {

    private final EmbeddingConfig config;
    private final InstantSource clock;
    private final Map<Model, EmbeddingProvider> providers = new ConcurrentHashMap<>();

    ConfiguredProviders(EmbeddingConfig config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
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
        return providers.computeIfAbsent(model, this::make);
    }

    private EmbeddingProvider make(Model model) {
        if (model.equals(LocalProvider.MODEL)) {
            return new LocalProvider();
        }
        if (model.equals(GlossedProvider.MODEL)) {
            return new GlossedProvider(new LocalProvider());
        }
        // Without a configured service its URL is only a default: nobody chose to send texts there.
        if (config.provider() == Kind.OPENAI && model.provider().equals(OpenAiProvider.NAME)) {
            return new OpenAiProvider(config.baseUrl(), config.key(), model, config.timeout(), clock);
        }
        return new Nobody(model);
    }

    @Override
    public void close() {
        providers.values().forEach(EmbeddingProvider::close);
    }
}
