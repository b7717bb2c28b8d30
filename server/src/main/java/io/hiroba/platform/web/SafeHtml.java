package io.hiroba.platform.web;

import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.markdown.Snippet;

/** HTML that needs no escaping, because it was rendered from Markdown. */
public final class SafeHtml {

    private final String value;

    private SafeHtml(String value) {
        this.value = value;
    }

    public static SafeHtml ofMarkdown(String markdown) {
        return new SafeHtml(Markdown.parse(markdown).html());
    }

    /** The beginning of a text, as it was stored. */
    public static SafeHtml ofSnippet(Snippet snippet) {
        return new SafeHtml(snippet.html());
    }

    /** The output of {@link Document#html()}. */
    public static SafeHtml ofDocument(String html) {
        return new SafeHtml(html);
    }

    public String value() {
        return value;
    }

    public boolean isEmpty() {
        return value.isBlank();
    }
}
