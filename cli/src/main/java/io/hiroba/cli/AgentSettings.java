package io.hiroba.cli;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The settings of an agent that a command makes or changes; what is not given stays as it is, or is as usual. */
final class AgentSettings {

    @Option(names = "--personality", paramLabel = "TEXT", description = "How it writes.")
    private @Nullable String personality;

    @Option(names = "--instructions", paramLabel = "TEXT", description = "What it is for and how it goes about it.")
    private @Nullable String instructions;

    @Option(names = "--tool", paramLabel = "TOOL", description = "A tool that it may use. May be repeated.")
    private @Nullable List<String> tools;

    @Option(
            names = "--wake",
            paramLabel = "KIND",
            description = "What may wake it, such as mention, message or step; all unless given. May be repeated.")
    private @Nullable List<String> wake;

    @Option(
            names = "--caller",
            paramLabel = "ID",
            description = "The id of somebody who may call it; everybody unless given. May be repeated.")
    private @Nullable List<String> callers;

    @Option(names = "--turns", paramLabel = "NUMBER", description = "Calls of the model in a run.")
    private @Nullable Integer turns;

    @Option(names = "--seconds", paramLabel = "NUMBER", description = "Seconds that a run may take.")
    private @Nullable Integer seconds;

    @Option(names = "--daily-tokens", paramLabel = "NUMBER", description = "Tokens that it may take on a day.")
    private @Nullable Long dailyTokens;

    @Option(names = "--daily-cost", paramLabel = "DOLLARS", description = "US dollars that it may spend on a day.")
    private @Nullable BigDecimal dailyCost;

    /** Those that are given, as the API takes them. */
    Map<String, Object> given() {
        var given = new LinkedHashMap<String, Object>();
        put(given, "personality", personality);
        put(given, "instructions", instructions);
        put(given, "tools", tools);
        put(given, "wake", wake);
        put(given, "callers", callers);
        var limits = new LinkedHashMap<String, Object>();
        put(limits, "turns", turns);
        put(limits, "seconds", seconds);
        put(limits, "dailyTokens", dailyTokens);
        put(limits, "dailyCost", dailyCost);
        put(given, "limits", limits.isEmpty() ? null : limits);
        return given;
    }

    static void put(Map<String, Object> body, String name, @Nullable Object value) {
        if (value != null) {
            body.put(name, value);
        }
    }
}
