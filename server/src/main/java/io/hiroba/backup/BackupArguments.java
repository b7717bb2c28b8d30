package io.hiroba.backup;

import io.hiroba.platform.config.Nearest;
import io.hiroba.platform.i18n.Text;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The words and options that a command of backups was given. */
record BackupArguments(List<String> words, Map<String, String> options) {

    /**
     * Parses them; an option without its value has an empty one.
     *
     * @param backups where {@code list} and {@code verify} look if nothing else is named
     */
    static BackupArguments parse(List<String> args, Optional<Path> backups) {
        var words = new ArrayList<String>();
        var options = new TreeMap<String, String>();
        var left = new ArrayDeque<>(args);
        while (!left.isEmpty()) {
            var next = left.remove();
            if (!next.startsWith("--")) {
                words.add(next);
                continue;
            }
            if (next.equals("--restore")) {
                options.put("restore", "");
                continue;
            }
            int equals = next.indexOf('=');
            var value = equals >= 0 ? next.substring(equals + 1) : left.poll();
            options.put(next.substring(2, equals < 0 ? next.length() : equals), value == null ? "" : value);
        }
        if (words.equals(List.of("verify")) || words.equals(List.of("list"))) {
            backups.ifPresent(folder -> options.putIfAbsent("from", folder.toString()));
        }
        return new BackupArguments(words, options);
    }

    /**
     * What to say of an option that is none or lacks its value, of a place that is neither a folder nor a bucket, or of a time that
     * cannot be read.
     *
     * @param known the options of the command
     */
    Optional<Text> mistake(Collection<String> known) {
        return unknown(known).or(this::withoutValue).or(this::otherPlace).or(this::unreadableTime);
    }

    private Optional<Text> withoutValue() {
        return options.entrySet().stream()
                .filter(option ->
                        option.getValue().isEmpty() && !option.getKey().equals("restore"))
                .findFirst()
                .map(option -> Text.of("backup.no-value", "option", "--" + option.getKey()));
    }

    private Optional<Text> otherPlace() {
        return Stream.of("to", "from")
                .filter(option -> !isBucket(option)
                        && BackupS3Config.ADDRESS
                                .matcher(options.getOrDefault(option, ""))
                                .matches())
                .findFirst()
                .map(option -> Text.of(
                        "backup.other-place", "option", "--" + option, "place", options.getOrDefault(option, "")));
    }

    private Optional<Text> unknown(Collection<String> known) {
        return options.keySet().stream()
                .filter(option -> !known.contains(option))
                .findFirst()
                .map(option -> Nearest.to(option, known)
                        .map(nearest -> Text.of(
                                "backup.unknown-option-nearest", "option", "--" + option, "nearest", "--" + nearest))
                        .orElseGet(() -> Text.of("backup.unknown-option", "option", "--" + option)));
    }

    /** What to say if the place of the backups is missing. */
    Optional<Text> missing(String place) {
        if (words.equals(List.of("list")) || words.equals(List.of("verify"))) {
            return options.containsKey("from") ? Optional.empty() : Optional.of(Text.of("backup.missing-place"));
        }
        return words.isEmpty() && !options.containsKey(place)
                ? Optional.of(Text.of("backup.missing-" + place))
                : Optional.empty();
    }

    boolean has(List<String> expected, String needed, String... others) {
        return words.equals(expected)
                && options.containsKey(needed)
                && options.keySet().stream()
                        .allMatch(option ->
                                option.equals(needed) || Set.of(others).contains(option));
    }

    boolean isBucket(String name) {
        return BackupS3Config.isUrl(options.getOrDefault(name, ""));
    }

    /** A place in a bucket: the bucket with its path, and the backup that is named at its end, if one is. */
    record Place(String url, Optional<String> backup) {}

    Place place(String name) {
        var url = options.getOrDefault(name, "").replaceFirst("/+$", "");
        var last = url.substring(url.lastIndexOf('/') + 1);
        return BackupFolder.isName(last) || BackupFolder.isFeatureName(last)
                ? new Place(url.substring(0, url.lastIndexOf('/')), Optional.of(last))
                : new Place(url, Optional.empty());
    }

    /** @throws IllegalArgumentException if it is none */
    Path folder(String name) {
        return Path.of(options.getOrDefault(name, "")).toAbsolutePath().normalize();
    }

    /** @throws IllegalArgumentException with the option, if its value does not fit */
    <T> Optional<T> value(String name, Function<String, T> parser) {
        var text = options.get(name);
        try {
            return Optional.ofNullable(text).map(parser);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException("--" + name + " " + text, e);
        }
    }

    /** The time to go back to. */
    Optional<Instant> time() {
        return Optional.ofNullable(options.get("time"))
                .map(time -> Instant.parse(time.strip().replaceFirst(" +", "T")));
    }

    /** One without a zone could be meant in that of this machine or in that of the names of backups. */
    private Optional<Text> unreadableTime() {
        try {
            time();
            return Optional.empty();
        } catch (DateTimeException e) {
            return Optional.of(Text.of("backup.bad-time", "time", options.getOrDefault("time", "")));
        }
    }
}
