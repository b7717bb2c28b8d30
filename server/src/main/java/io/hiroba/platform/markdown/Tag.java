package io.hiroba.platform.markdown;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The kinds of element that a text may hold; there are no others, so this list is the allow-list of the HTML. */
public enum Tag {
    P("p"),
    H1("h1"),
    H2("h2"),
    H3("h3"),
    H4("h4"),
    H5("h5"),
    H6("h6"),
    BLOCKQUOTE("blockquote"),
    UL("ul"),
    OL("ol"),
    LI("li"),
    PRE("pre"),
    HR("hr"),
    FIGURE("figure"),
    TABLE("table"),
    THEAD("thead"),
    TBODY("tbody"),
    TR("tr"),
    TH("th"),
    TD("td"),
    EM("em"),
    STRONG("strong"),
    DEL("del"),
    CODE("code"),
    A("a"),
    IMG("img"),
    BR("br"),
    /** Where a snippet was cut: always its last node, and never in a whole text. */
    OMITTED("omitted");

    private static final Map<String, Tag> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Tag::text, Function.identity()));
    private static final Set<Tag> INLINE = EnumSet.of(EM, STRONG, DEL, CODE, A, IMG, BR);
    private static final Set<Tag> VOID = EnumSet.of(HR, IMG, BR);

    private final String text;

    Tag(String text) {
        this.text = text;
    }

    /** The tag's name as it stands in the stored form and, but for {@link #OMITTED}, in HTML. */
    public String text() {
        return text;
    }

    boolean takes(Attribute attribute) {
        return switch (attribute) {
            case HREF -> this == A;
            case SRC, ALT -> this == IMG;
            case CLASS -> this == IMG || this == CODE || this == TH || this == TD;
            case START -> this == OL;
        };
    }

    boolean inline() {
        return INLINE.contains(this);
    }

    /** Whether the element has no content and no end tag. */
    boolean empty() {
        return VOID.contains(this);
    }

    static Tag heading(int level) {
        return of("h" + level);
    }

    static Tag of(String name) {
        var tag = BY_NAME.get(name);
        if (tag == null) {
            throw new IllegalArgumentException("not a tag of ours: " + name);
        }
        return tag;
    }
}
