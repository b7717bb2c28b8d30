package io.hiroba.knowledge.search;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import java.time.Duration;

/** The configuration of the chat model. */
public record ChatConfig(
        @Default("")
        @Doc("Where a service answers that speaks OpenAI's chat API, for example https://api.openai.com/v1. Empty means"
                + " that questions are answered with the best passages alone.")
        String baseUrl,

        @Default("gpt-4o-mini") @Doc("The service's model.") String model,

        @Default("") @Doc("The service's key.") @Secret String key,

        @Default("60s") @Doc("How long the service may be silent.")
        Duration timeout,

        @Default("8") @Doc("Passages that an answer may be made of.")
        int passages,

        @Default("0")
        @Doc(
                "The price of a million tokens that the service is sent, for the costs in the admin area. With a price the"
                        + " service is asked to report the tokens of each answer (stream_options), which a few do not understand.")
        double priceIn,

        @Default("0")
        @Doc("The price of a million tokens that the service answers with, for the costs in the admin area.")
        double priceOut) {

    public ChatConfig {
        if (timeout.toMillis() < 100) {
            throw new IllegalArgumentException("timeout must be at least 100ms");
        }
        if (!(priceIn >= 0 && priceIn <= 1_000_000 && priceOut >= 0 && priceOut <= 1_000_000)) {
            throw new IllegalArgumentException("price-in and price-out must be between 0 and 1000000");
        }
        if (passages < 1 || passages > 50) {
            throw new IllegalArgumentException("passages must be between 1 and 50, not " + passages);
        }
    }

    /** Whether the costs of answers are wanted. */
    boolean hasPrice() {
        return priceIn > 0 || priceOut > 0;
    }

    public boolean isConfigured() {
        return !baseUrl.isEmpty();
    }
}
