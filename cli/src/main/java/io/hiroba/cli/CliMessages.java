package io.hiroba.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/** The words of the client, in the language of the run. */
final class CliMessages {

    private static final ScopedValue<CliLanguage> LANGUAGE = ScopedValue.newInstance();
    private static final Map<CliLanguage, ResourceBundle> TEXTS = new ConcurrentHashMap<>();

    private CliMessages() {}

    /** Runs the client in a language and returns its exit code. */
    static int speaking(CliLanguage language, IntSupplier run) {
        return ScopedValue.where(LANGUAGE, language).call(run::getAsInt);
    }

    /** The language of the run that this thread belongs to. */
    static CliLanguage language() {
        return LANGUAGE.orElse(CliLanguage.ENGLISH);
    }

    /** The text with the arguments in the places that its pattern, as of {@link String#format}, gives them. */
    static String text(String key, Object... arguments) {
        return String.format(Locale.ROOT, texts().getString(key), arguments);
    }

    /** The text without arguments, if there is one: for keys that depend on what the server answered. */
    static Optional<String> find(String key) {
        return texts().containsKey(key) ? Optional.of(text(key)) : Optional.empty();
    }

    private static ResourceBundle texts() {
        return TEXTS.computeIfAbsent(language(), known -> known.texts("messages"));
    }
}
