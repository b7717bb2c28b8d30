package io.hiroba.platform.i18n;

import com.ibm.icu.text.ListFormatter;
import com.ibm.icu.text.MessageFormat;
import com.ibm.icu.text.MessagePattern;
import com.ibm.icu.text.MessagePattern.ArgType;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

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
    private final Map<String, Map<String, String>> patterns = new ConcurrentHashMap<>();

    private Messages(Language language) {
        this.language = language;
    }

    public static Messages in(Language language) {
        return Objects.requireNonNull(ALL.get(language));
    }

    /** The message {@code key} with its arguments filled in, each by its name. */
    String format(String key, Map<String, Object> arguments) {
        return find(key).format(arguments, this);
    }

    /** The patterns whose keys begin with {@code prefix}, such as those for a feature's script, by their keys. */
    public Map<String, String> patterns(String prefix) {
        return patterns.computeIfAbsent(prefix, this::beginningWith);
    }

    private Map<String, String> beginningWith(String prefix) {
        var found = new TreeMap<String, String>();
        read(feature(prefix)).forEach((key, pattern) -> {
            if (key.startsWith(prefix)) {
                found.put(key, pattern);
            }
        });
        return Collections.unmodifiableMap(found);
    }

    private Message find(String key) {
        var message = messages.get(key);
        if (message == null) {
            read(feature(key)).forEach((each, pattern) -> messages.put(each, message(pattern)));
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
            var read = new HashMap<String, String>();
            properties.forEach((key, pattern) -> read.put((String) key, (String) pattern));
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Message message(String pattern) {
        var parsed = new MessagePattern(pattern);
        Message message = IntStream.range(0, parsed.countParts())
                        .allMatch(part -> parsed.getPart(part).getArgType() == ArgType.NONE)
                ? Joined.of(parsed)
                : new Formatted(new MessageFormat(pattern, language.locale()));
        return pattern.endsWith("}.") || pattern.endsWith("}。") ? new EndedOnce(message) : message;
    }

    private Object value(Object value) {
        return switch (value) {
            case Text text -> text.in(language);
            case Number number -> number;
            case Collection<?> items ->
                ListFormatter.getInstance(language.locale())
                        .format(items.stream().map(this::value).toList());
            default -> TextDirection.isolated(value.toString());
        };
    }

    /** A message with its arguments left open. */
    private sealed interface Message {

        String format(Map<String, Object> arguments, Messages messages);
    }

    /** A message whose last words are an argument: where that ends a sentence itself, the full stop after it is one too many. */
    private record EndedOnce(Message message) implements Message {

        @Override
        public String format(Map<String, Object> arguments, Messages messages) {
            var text = message.format(arguments, messages);
            boolean twice = (text.endsWith("..") && !text.endsWith("...")) || text.endsWith("。。");
            return twice ? text.substring(0, text.length() - 1) : text;
        }
    }

    /**
     * A message that values are only put into, as they are into nearly all: ICU's own format takes ten times as long, and a
     * page has hundreds.
     *
     * @param words before, between and after the arguments
     */
    private record Joined(List<String> words, List<String> arguments) implements Message {

        static Joined of(MessagePattern pattern) {
            var words = new ArrayList<String>();
            var arguments = new ArrayList<String>();
            var before = new StringBuilder();
            int end = pattern.getPart(0).getLimit();
            for (int i = 1; i < pattern.countParts(); i++) {
                var part = pattern.getPart(i);
                before.append(pattern.getPatternString(), end, part.getIndex());
                if (part.getType() == MessagePattern.Part.Type.ARG_START) {
                    words.add(before.toString());
                    before.setLength(0);
                    arguments.add(pattern.getSubstring(pattern.getPart(i + 1)));
                    i = pattern.getLimitPartIndex(i);
                }
                end = pattern.getPart(i).getLimit();
            }
            words.add(before.toString());
            return new Joined(List.copyOf(words), List.copyOf(arguments));
        }

        @Override
        public String format(Map<String, Object> values, Messages messages) {
            if (arguments.isEmpty()) {
                return words.getFirst();
            }
            var text = new StringBuilder(words.getFirst());
            for (int i = 0; i < arguments.size(); i++) {
                var value = values.get(arguments.get(i));
                text.append(value == null ? "{" + arguments.get(i) + "}" : shown(messages.value(value), messages));
                text.append(words.get(i + 1));
            }
            return text.toString();
        }

        private static String shown(Object value, Messages messages) {
            return value instanceof Number number
                    ? DateFormats.in(messages.language).numbers().format(number).toString()
                    : value.toString();
        }
    }

    /** A message with plurals or choices. The format keeps what it has built, which is not safe for threads. */
    private record Formatted(MessageFormat format) implements Message {

        @Override
        public String format(Map<String, Object> arguments, Messages messages) {
            var values = new HashMap<String, Object>();
            arguments.forEach((name, value) -> values.put(name, messages.value(value)));
            synchronized (format) {
                return format.format(values);
            }
        }
    }
}
