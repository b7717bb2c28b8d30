package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.platform.StartException;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.platform.config.SecretText;
import io.hiroba.platform.gloss.Glosses;
import java.time.Duration;

/** The configuration of embeddings: the provider, its limits and the retries. */
public record EmbeddingConfig(
        @Default("local")
        @Doc(
                "Who makes vectors: local (a model inside the program, for English, Japanese and Chinese), onnx (a model that"
                        + " `./hiroba models install` has installed) or openai (any service that speaks its API).")
        Kind provider,

        @Default("https://api.openai.com/v1") @Doc("Where the service answers; only for openai.")
        String baseUrl,

        @Default("text-embedding-3-small")
        @Doc("The service's model, or the name of the installed one; only for openai and onnx.")
        String model,

        @Default("1536") @Doc("The length of the model's vectors; only for openai.")
        int dimensions,

        @Default("") @Doc("The service's key; only for openai.") @Secret
        SecretText key,

        @Default("100") @Doc("Chunks that are handed to the service in one call.")
        int batch,

        @Default("5") @Doc("Calls to a service at once, of this node.")
        int concurrency,

        @Default("60s") @Doc("How long a call may take; only for openai.")
        Duration timeout,

        @Default("1m") @Doc("How long a chunk waits after its first failure.")
        Duration firstRetry,

        @Default("5m") @Doc("How long a chunk waits after its second failure.")
        Duration secondRetry,

        @Default("15m") @Doc("How long a chunk waits after its third failure and each one after it.")
        Duration thirdRetry,

        @Default("3") @Doc("How often a chunk is tried again before it becomes a dead letter.")
        int maxRetry,

        @Default("0")
        @Doc("The price of a million tokens of the service, for the costs in the admin area; 0 if they are not wanted.")
        double price,

        @Default("true")
        @Doc(
                "Whether Japanese and Chinese words are handed to the local model as English glosses of dictionaries, which the"
                        + " first start fetches from Debian's archive; only for local.")
        boolean glosses) {

    /** The providers to choose from. */
    public enum Kind {
        LOCAL,
        ONNX,
        OPENAI
    }

    public EmbeddingConfig {
        if (dimensions < 1 || dimensions > 4000) {
            throw new IllegalArgumentException("dimensions must be between 1 and 4000, not " + dimensions);
        }
        if (batch < 1 || batch > 2048) {
            throw new IllegalArgumentException("batch must be between 1 and 2048, not " + batch);
        }
        if (concurrency < 1 || concurrency > 100) {
            throw new IllegalArgumentException("concurrency must be between 1 and 100, not " + concurrency);
        }
        if (timeout.toMillis() < 100 || timeout.toMinutes() > 60) {
            throw new IllegalArgumentException("timeout must be between 100ms and 1h");
        }
        if (firstRetry.isNegative() || secondRetry.isNegative() || thirdRetry.isNegative()) {
            throw new IllegalArgumentException("a chunk cannot wait for less than nothing");
        }
        if (provider == Kind.OPENAI && !baseUrl.matches("https?://[^\\s/?#@]+(/[^\\s?#]*)?")) {
            throw new IllegalArgumentException("base-url must be the http or https address of the service");
        }
        if (!(price >= 0 && price <= 1_000_000)) {
            throw new IllegalArgumentException("price must be between 0 and 1000000, not " + price);
        }
        if (maxRetry < 0 || maxRetry > 100) {
            throw new IllegalArgumentException("max-retry must be between 0 and 100, not " + maxRetry);
        }
    }

    /** The configured model; an installed one is known by its files alone. */
    public Model configuredModel() {
        return switch (provider) {
            case LOCAL -> glosses && Glosses.areInstalled() ? GlossedProvider.MODEL : LocalProvider.MODEL;
            case ONNX -> throw new IllegalStateException("the model is not looked for here");
            case OPENAI -> new Model(OpenAiProvider.NAME, model, dimensions);
        };
    }

    /**
     * The configured model, also if it is one of {@code models}.
     *
     * @throws StartException if it is not installed
     */
    Model configuredModel(InstalledModels models) {
        return provider == Kind.ONNX
                ? models.require(model, ModelSettings.Kind.ENCODER).model()
                : configuredModel();
    }

    /** The backoff after {@code retries} retries. */
    Duration backoff(int retries) {
        return switch (retries) {
            case 0 -> firstRetry;
            case 1 -> secondRetry;
            default -> thirdRetry;
        };
    }

    /** The lease of a claim: longer than two calls and the write. */
    Duration lease(Model of) {
        boolean isInside = of.provider().equals(LocalProvider.MODEL.provider())
                || of.provider().equals(InstalledModels.PROVIDER);
        boolean longer = isInside && LocalProvider.LIMIT.compareTo(timeout) > 0;
        return (longer ? LocalProvider.LIMIT : timeout).multipliedBy(3);
    }
}
