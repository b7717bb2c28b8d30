package io.hiroba.platform.i18n;

import io.hiroba.platform.http.Json;
import java.util.HashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Texts in columns, with their keys and arguments, so that each reader gets them in their language. */
public final class StoredText {

    private StoredText() {}

    public static String write(Text text) {
        return Json.text(text);
    }

    /** What an older version stored in words, or with a message that is gone, is shown as it is. */
    public static Text read(String stored) {
        if (!stored.startsWith("{")) {
            return Text.verbatim(stored);
        }
        try {
            var text = text(Json.mapper().readTree(stored));
            // Throws if there is no such message.
            text.in(Language.ENGLISH);
            return text;
        } catch (JacksonException | IllegalArgumentException e) {
            return Text.verbatim(stored);
        }
    }

    private static Text text(JsonNode json) {
        var arguments = new HashMap<String, Object>();
        json.path("arguments").properties().forEach(each -> arguments.put(each.getKey(), value(each.getValue())));
        return new Text(json.path("key").stringValue(), arguments);
    }

    private static Object value(JsonNode json) {
        if (json.isObject()) {
            return text(json);
        }
        if (json.isArray()) {
            return json.valueStream().map(StoredText::value).toList();
        }
        return json.isNumber() ? json.numberValue() : json.asString();
    }
}
