package io.hiroba.inbox.gitlab;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Messages;
import io.hiroba.platform.i18n.Text;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;

/** The outcome of a delivery as it is stored: a message with its arguments, so that every admin reads it in their language. */
final class StoredOutcome {

    private static final int MAX_LENGTH = 500;

    /** A newer node may have stored a message that this one does not have. */
    private static final Set<String> KNOWN =
            Messages.in(Language.ENGLISH).patterns("inbox.outcome.").keySet();

    private record Stored(String key, Map<String, Object> arguments) {}

    private StoredOutcome() {}

    /** One that is too long is stored as it reads in English, cut. */
    static String of(Text outcome) {
        var arguments = new LinkedHashMap<String, Object>();
        outcome.arguments()
                .forEach((name, value) ->
                        arguments.put(name, value instanceof Number ? value : clean(value.toString())));
        var stored = Json.text(new Stored(outcome.key(), arguments));
        return stored.length() <= MAX_LENGTH ? stored : ofWords(outcome.toString());
    }

    /** Words of another program, such as the message of an exception. */
    static String ofWords(String words) {
        var clean = clean(words);
        return clean.length() <= MAX_LENGTH ? clean : clean.substring(0, MAX_LENGTH);
    }

    static Text parse(String stored) {
        if (!stored.startsWith("{")) {
            return Text.verbatim(stored);
        }
        try {
            var outcome = Json.mapper().readValue(stored, Stored.class);
            return KNOWN.contains(outcome.key()) ? new Text(outcome.key(), outcome.arguments()) : Text.verbatim(stored);
        } catch (JacksonException e) {
            return Text.verbatim(stored);
        }
    }

    private static String clean(String text) {
        return text.replace('\0', ' ');
    }
}
