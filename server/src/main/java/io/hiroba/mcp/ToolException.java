package io.hiroba.mcp;

/** Arguments that no call can be made of; the message tells the model what to change. */
final class ToolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ToolException(String message) {
        super(message);
    }
}
