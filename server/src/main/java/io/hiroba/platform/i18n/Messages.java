package io.hiroba.platform.i18n;

import com.ibm.icu.text.ListFormatter;
import com.ibm.icu.text.MessageFormat;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The messages of the program in one language, read from the class path feature by feature when first needed. */
public final class Messages {

    private static final String FOLDER = "io/hiroba/messages/";
    private static final Map<Language, Messages> ALL = new EnumMap<>(Language.class);

    static {
        for (var language : Language.values()) {
            ALL.put(language, new Messages(language));
        }
    }

    private final Language language;
    private final Map<String, Message> messages = new ConcurrentHashMap<>();

    private Messages(Language language) {
        this.language = language;
    }

    public static Messages in(Language language) {
        return Objects.requireNonNull(ALL.get(language));
    }

    /** The message {@code key} with its arguments filled in, each by its name. */
    String format(String key, Map<String, Object> arguments) {
        var message = find(key);
        return arguments.isEmpty() ? message.text() : message.format(values(arguments));
    }

    /** The patterns whose keys begin with {@code prefix}, such as those for a feature's script, by their keys. */
    public Map<String, String> patterns(String prefix) {
        var patterns = new TreeMap<String, String>();
        read(feature(prefix)).forEach((key, pattern) -> {
            if (key.startsWith(prefix)) {
                patterns.put(key, pattern);
            }
        });
        return patterns;
    }

    private Message find(String key) {
        var message = messages.get(key);
        if (message == null) {
            read(feature(key)).forEach((each, pattern) -> messages.put(each, Message.of(pattern, language)));
            message = messages.get(key);
        }
        if (message == null) {
            throw new IllegalArgumentException("there is no message " + key + " in " + language.ownName());
        }
        return message;
    }

    private static String feature(String key) {
        return key.substring(0, Math.max(0, key.indexOf('.')));
    }

    /** The patterns of a feature by their keys; those of the platform stand in one file for all. */
    private Map<String, String> read(String feature) {
        var name = "messages_" + language.code() + ".properties";
        var loader = Messages.class.getClassLoader();
        var own = loader.getResource(FOLDER + feature + "/" + name);
        try (var stream = own == null ? loader.getResourceAsStream(FOLDER + name) : own.openStream()) {
            var properties = new Properties();
            properties.load(new InputStreamReader(stream, StandardCharsets.UTF_8));
            var patterns = new HashMap<String, String>();
            properties.forEach((key, pattern) -> patterns.put((String) key, (String) pattern));
            return patterns;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, Object> values(Map<String, Object> arguments) {
        var values = new HashMap<String, Object>();
        arguments.forEach((name, value) -> values.put(name, value(value)));
        return values;
    }

    private Object value(Object value) {
        return switch (value) {
            case Text text -> text.in(language);
            case Number number -> number;
            case Collection<?> items ->
                ListFormatter.getInstance(language.locale())
                        .format(items.stream().map(this::value).toList());
            default -> value.toString();
        };
    }

    /**
     * A message with its arguments left open.
     *
     * @param text as it reads without values
     * @param format not safe for threads, so each use has a copy
     */
    private record Message(String text, MessageFormat format) {

        static Message of(String pattern, Language language) {
            var format = new MessageFormat(pattern, language.locale());
            return new Message(format.getArgumentNames().isEmpty() ? format.format(Map.of()) : pattern, format);
        }

        String format(Map<String, Object> arguments) {
            return format.clone().format(arguments);
        }
    }
}
