package io.hiroba.platform.markdown;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** An attribute of an element, with its name in HTML, its short name in a stored snippet and the values it accepts. */
public enum HtmlAttribute {
    HREF("href", "HF"),
    SRC("src", "SR"),
    ALT("alt", "AT"),
    CLASS("class", "CL"),
    START("start", "ST");

    // Each word has a prefix of ours, so a text cannot borrow a class that the pages style for something else.
    private static final String CLASS_WORD =
            "(?:featured|size-(?:small|medium|large)|align-(?:left|center|right)|task-(?:open|done)|language-[A-Za-z0-9+#_-]{1,30})";
    private static final Pattern CLASSES = Pattern.compile(CLASS_WORD + "(?: " + CLASS_WORD + ")?");
    private static final Pattern START_NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final Map<String, HtmlAttribute> BY_SHORT_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(HtmlAttribute::shortName, Function.identity()));

    private final String text;
    private final String shortName;

    HtmlAttribute(String text, String shortName) {
        this.text = text;
        this.shortName = shortName;
    }

    public String text() {
        return text;
    }

    String shortName() {
        return shortName;
    }

    boolean accepts(String value) {
        return switch (this) {
            case HREF -> Destination.link(value);
            case SRC -> Destination.image(value);
            case ALT -> true;
            case CLASS -> CLASSES.matcher(value).matches();
            case START -> START_NUMBER.matcher(value).matches();
        };
    }

    static HtmlAttribute ofShortName(String name) {
        var attribute = BY_SHORT_NAME.get(name);
        if (attribute == null) {
            throw new IllegalArgumentException("not an attribute of ours: " + name);
        }
        return attribute;
    }
}
