package io.hiroba.platform.web;

import io.hiroba.platform.markdown.Markdown;

/** HTML that may be written as it is, because it was made from Markdown by us. */
public final class SafeHtml {

    private final String value;

    private SafeHtml(String value) {
        this.value = value;
    }

    public static SafeHtml ofMarkdown(String markdown) {
        return new SafeHtml(Markdown.parse(markdown).html());
    }

    public String value() {
        return value;
    }

    public boolean isEmpty() {
        return value.isBlank();
    }
}
