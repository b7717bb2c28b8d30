package io.hiroba.platform.config;

import io.hiroba.platform.vault.VaultCredentials;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Parses the text of a value to the type of its record component. */
final class ConfigValues {

    private ConfigValues() {}

    /** Whether {@code type} is read from one text, although it is a record. */
    static boolean isValue(Class<?> type) {
        return type == ByteSize.class;
    }

    /** @throws IllegalArgumentException whose message completes "the key …" */
    static Object parse(Type type, String text) {
        if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            return list(text);
        }
        if (type == String.class) {
            return text;
        } else if (type == SecretText.class) {
            return SecretText.of(text);
        } else if (type == int.class) {
            return whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE).intValue();
        } else if (type == long.class) {
            return whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
        } else if (type == double.class) {
            return fraction(text);
        } else if (type == boolean.class) {
            return flag(text);
        } else if (type == Duration.class) {
            return Durations.parse(text);
        } else if (type == ByteSize.class) {
            return ByteSize.parse(text);
        } else if (type == VaultCredentials.class) {
            return VaultCredentials.parse(text);
        } else if (type == Path.class) {
            return Path.of(text);
        } else if (type instanceof Class<?> choice && choice.isEnum()) {
            return choice(choice, text);
        }
        throw new IllegalStateException("configuration records cannot hold a " + type.getTypeName());
    }

    static String typeName(Type type) {
        if (type instanceof Class<?> choice && choice.isEnum()) {
            return Arrays.stream(choice.getEnumConstants())
                    .map(ConfigValues::choiceName)
                    .collect(Collectors.joining(" \\| "));
        }
        if (type instanceof ParameterizedType) {
            return "list";
        }
        return switch (type.getTypeName()) {
            case "java.lang.String",
                    "io.hiroba.platform.config.SecretText",
                    "io.hiroba.platform.vault.VaultCredentials" -> "text";
            case "int", "long" -> "whole number";
            case "double" -> "number";
            case "boolean" -> "true \\| false";
            case "java.time.Duration" -> "duration";
            case "java.nio.file.Path" -> "path";
            default -> "size";
        };
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private static Long whole(String text, long least, long most) {
        try {
            long value = Long.parseLong(text.strip().replace("_", ""));
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a whole number", e);
        }
        throw new IllegalArgumentException("is too large a number");
    }

    private static Double fraction(String text) {
        try {
            return Double.valueOf(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a number", e);
        }
    }

    private static Boolean flag(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on", "1" -> true;
            case "false", "no", "off", "0" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        };
    }

    private static Object choice(Class<?> type, String text) {
        for (var constant : type.getEnumConstants()) {
            if (choiceName(constant).equalsIgnoreCase(text.strip())) {
                return constant;
            }
        }
        throw new IllegalArgumentException("is not one of "
                + Arrays.stream(type.getEnumConstants())
                        .map(ConfigValues::choiceName)
                        .collect(Collectors.joining(", ")));
    }

    private static String choiceName(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
