package io.hiroba.knowledge.search;

import io.hiroba.platform.i18n.Text;

/** A failed or interrupted call to a chat model. The text is for people and contains no secrets. */
final class ChatException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Text text;

    ChatException(Text text) {
        super(text.toString());
        this.text = text;
    }

    Text text() {
        return text;
    }
}
