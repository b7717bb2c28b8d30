package io.hiroba.knowledge.search;

/** A failed or interrupted call to a chat model. The message is for people and contains no secrets. */
final class ChatException extends Exception {

    private static final long serialVersionUID = 1L;

    ChatException(String message) {
        super(message);
    }
}
