package io.hiroba.knowledge.ask;

/** A model did not answer, or not to the end. The message is for people, and says nothing that is secret. */
final class ChatException extends Exception {

    private static final long serialVersionUID = 1L;

    ChatException(String message) {
        super(message);
    }
}
