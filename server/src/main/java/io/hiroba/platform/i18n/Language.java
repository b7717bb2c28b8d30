package io.hiroba.platform.i18n;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A language that Hiroba speaks. */
public enum Language {
    ENGLISH("en", "en", "English", Locale.ENGLISH),
    JAPANESE("ja", "ja", "日本語", Locale.JAPAN),
    CHINESE("zh", "zh-CN", "简体中文", Locale.SIMPLIFIED_CHINESE);

    private static final List<Locale> LOCALES =
            Arrays.stream(values()).map(each -> Locale.of(each.code)).toList();
    private static final Map<String, Language> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toMap(Language::code, each -> each));
    private static final int MAX_HEADER = 500;

    /** Few browsers ask differently, and every request of theirs has the header. */
    private static final Cache<String, Optional<Language>> ACCEPTED =
            Caffeine.newBuilder().maximumSize(500).build();

    private final String code;
    private final String tag;
    private final String ownName;
    private final Locale locale;

    Language(String code, String tag, String ownName, Locale locale) {
        this.code = code;
        this.tag = tag;
        this.ownName = ownName;
        this.locale = locale;
    }

    /** The code of ISO 639, by which it is stored and chosen. */
    public String code() {
        return code;
    }

    /** The language tag of pages and answers, which also names the script of Chinese. */
    public String tag() {
        return tag;
    }

    /** Its name in the language itself, for somebody who cannot read the present one. */
    public String ownName() {
        return ownName;
    }

    public Locale locale() {
        return locale;
    }

    /** The language with this code, if Hiroba speaks it. */
    public static Optional<Language> of(@Nullable String code) {
        return code == null ? Optional.empty() : Optional.ofNullable(BY_CODE.get(code));
    }

    /** The codes of all, for an error that lists them. */
    public static String codes() {
        return Arrays.stream(values()).map(Language::code).collect(Collectors.joining(", "));
    }

    /**
     * The language of a shell with these variables, of which the first that is set decides, as in other programs; the launcher
     * sets its own for the server.
     */
    public static Language ofShell(Map<String, String> environment) {
        var locale = Stream.of("HIROBA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("")
                .toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(each -> locale.startsWith(each.code))
                .findFirst()
                .orElse(ENGLISH);
    }

    /** The first language of an {@code Accept-Language} header that Hiroba speaks. */
    public static Optional<Language> accepted(@Nullable String header) {
        if (header == null || header.isBlank() || header.length() > MAX_HEADER) {
            return Optional.empty();
        }
        return ACCEPTED.get(header, Language::lookUp);
    }

    private static Optional<Language> lookUp(String header) {
        try {
            var found = Locale.lookup(Locale.LanguageRange.parse(header), LOCALES);
            return found == null ? Optional.empty() : of(found.getLanguage());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
