package io.hiroba.knowledge.search;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.platform.config.SecretText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The configuration of the chat models. */
public record ChatConfig(
        @Default("")
        @Doc("Where a service answers that speaks OpenAI's chat API, for example https://api.openai.com/v1. Empty means"
                + " that questions are answered with the best passages alone.")
        String baseUrl,

        @Default("openai")
        @Doc(
                "How the service speaks: openai for OpenAI's chat API, which most others have too, or anthropic for Anthropic's messages API"
                        + " (https://api.anthropic.com/v1).")
        Provider provider,

        @Default("gpt-4o-mini") @Doc("The service's model.") String model,

        @Default("") @Doc("The service's key.") @Secret SecretText key,

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
        double priceOut,

        @Default("60") @Doc("Questions that a user may ask in an hour; admins may ask any number.")
        int perHour,

        @Default("") @Doc("Names of the models below that agents ask when this one fails, in this order.")
        List<String> fallbacks,

        Map<String, ModelConfig> models) {

    /** The name of the model that has no name of its own in the configuration. */
    static final String DEFAULT = "default";

    public ChatConfig {
        requireTimeout(timeout);
        requirePrices(priceIn, priceOut);
        if (passages < 1 || passages > 50) {
            throw new IllegalArgumentException("passages must be between 1 and 50, not " + passages);
        }
        if (perHour < 1) {
            throw new IllegalArgumentException("per-hour must be at least 1, not " + perHour);
        }
        models = Map.copyOf(models);
        fallbacks = List.copyOf(fallbacks);
        requireConfigured(fallbacks, models);
        for (var each : models.values()) {
            requireConfigured(each.fallbacks(), models);
        }
    }

    /** The API that a service has. */
    public enum Provider {
        OPENAI,
        ANTHROPIC
    }

    private static void requireConfigured(List<String> fallbacks, Map<String, ModelConfig> models) {
        for (var name : fallbacks) {
            if (!models.containsKey(name)) {
                throw new IllegalArgumentException("fallbacks holds `%s`, which is none of the models".formatted(name));
            }
        }
    }

    private static void requireTimeout(Duration timeout) {
        if (timeout.toMillis() < 100) {
            throw new IllegalArgumentException("timeout must be at least 100ms");
        }
    }

    private static void requirePrices(double in, double out) {
        if (!(in >= 0 && in <= 1_000_000 && out >= 0 && out <= 1_000_000)) {
            throw new IllegalArgumentException("price-in and price-out must be between 0 and 1000000");
        }
    }

    /** The price of tokens of {@code model}, as its service knows it; of one that is not configured any more, that of the first. */
    public double price(String model, long tokensIn, long tokensOut) {
        var known = models.values().stream()
                .filter(each -> each.model().equals(model) && !model.equals(this.model))
                .findFirst();
        double in = known.map(ModelConfig::priceIn).orElse(priceIn);
        double out = known.map(ModelConfig::priceOut).orElse(priceOut);
        return (tokensIn * in + tokensOut * out) / 1_000_000;
    }

    /** Every configured model by its name, the one without a name first. */
    public Map<String, ModelConfig> byName() {
        var all = new LinkedHashMap<String, ModelConfig>();
        if (!baseUrl.isEmpty()) {
            all.put(DEFAULT, new ModelConfig(baseUrl, provider, model, key, timeout, priceIn, priceOut, fallbacks));
        }
        new TreeMap<>(models).forEach(all::putIfAbsent);
        return all;
    }

    /** One more chat model, among which admins choose. */
    public record ModelConfig(
            @Doc("Where the service of one more model answers; admins choose which one is used.")
            String baseUrl,

            @Default("openai") @Doc("How that service speaks, as above.")
            Provider provider,

            @Default("gpt-4o-mini") @Doc("That service's model.")
            String model,

            @Default("") @Doc("That service's key.") @Secret SecretText key,

            @Default("60s") @Doc("How long that service may be silent.")
            Duration timeout,

            @Default("0") @Doc("The price of a million tokens that it is sent, as above.")
            double priceIn,

            @Default("0") @Doc("The price of a million tokens that it answers with.")
            double priceOut,

            @Default("") @Doc("Names of the models that agents ask when this one fails, in this order.")
            List<String> fallbacks) {

        public ModelConfig {
            if (baseUrl.isEmpty()) {
                throw new IllegalArgumentException("base-url must not be empty");
            }
            requireTimeout(timeout);
            requirePrices(priceIn, priceOut);
            fallbacks = List.copyOf(fallbacks);
        }

        /** Whether the costs of answers are wanted. */
        boolean hasPrice() {
            return priceIn > 0 || priceOut > 0;
        }
    }
}
