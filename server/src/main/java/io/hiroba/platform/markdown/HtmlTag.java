package io.hiroba.platform.markdown;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A tag of an element. This list is the allow-list of the HTML: there are no others. */
public enum HtmlTag {
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
    /** Marks where a snippet was cut: always its last node, and never in a whole text. */
    OMITTED("omitted");

    private static final Map<String, HtmlTag> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(HtmlTag::text, Function.identity()));
    private static final Set<HtmlTag> INLINE = EnumSet.of(EM, STRONG, DEL, CODE, A, IMG, BR);
    private static final Set<HtmlTag> VOID = EnumSet.of(HR, IMG, BR);

    private final String text;

    HtmlTag(String text) {
        this.text = text;
    }

    /** The tag's name in the stored form and, except for {@link #OMITTED}, in HTML. */
    public String text() {
        return text;
    }

    boolean takes(HtmlAttribute attribute) {
        return switch (attribute) {
            case HREF -> this == A;
            case SRC, ALT -> this == IMG;
            case CLASS -> this == IMG || this == CODE || this == TH || this == TD || this == LI;
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

    static HtmlTag heading(int level) {
        return of("h" + level);
    }

    static HtmlTag of(String name) {
        var tag = BY_NAME.get(name);
        if (tag == null) {
            throw new IllegalArgumentException("not a tag of ours: " + name);
        }
        return tag;
    }
}
